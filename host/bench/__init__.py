"""The promises, measured: `gamehost bench NAME`.

A bench is a module of this room with a title and one function; `gamehost bench` finds it by its name in
`BENCHES`::

    '''How often the moon answers.'''               # the first line is its help
    from host.bench.frame import Options, Report, Share

    def measure(options: Options) -> Report:
        report = Report("moon")
        heard = Share(97, 100)
        report.table("Calls heard", ("room", "heard"), [("dry", heard), ...])
        report.at_least("heard dry", heard, 0.95)   # a goal: measured, wanted, met or short
        report.at_most("latency, median", 0.31, 0.4, unit="s")
        report.curve("heard over the threshold", "threshold", "share", {"dry": [(0.1, 0.99), ...]})
        return report

What it plays comes from here too, at 16 kHz as float32 in the units of 16-bit samples::

    library = Library()                             # audio_fixtures/voices.toml
    library.voices("test"), library.rooms("test"), library.noises("test")
    speaker = Speaker(library)                      # clips are made once and kept in the cache
    sound = speaker.clip("alan", "Venn!")           # level: active frames at -26 dBFS
    heard = library.played(sound, "house-test-1", snr=15, seed=7, before=0.6, behind=1.2)
    for pcm in blocks(heard): ...                   # 30 ms each, for an ear or a detector

A voice program that is missing raises `MissingError`, which ends the command with one line and exit 3.
`gamehost bench make` makes beforehand what a bench names with `clips(options)`, pairs of voice and text.
`options.full` asks for everything, else a bench draws a sample by `options.seed` that ends within 12
minutes on two cores. Nothing is ever tuned on "test".
"""

BENCHES = ("judge", "hear", "cards", "colours", "owners", "venn", "interrupt", "kills", "soak", "chaos", "parts",
           "slow")
"""Modules of this room, each with `measure(options)`; those that are not there are left out."""
