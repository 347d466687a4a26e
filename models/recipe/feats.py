# ruff: noqa - the recipe of the model, kept as it ran; tooling, not part of the host
"""Kaldi-compatible 40-dim hires MFCC (no dither), as conf/mfcc.conf of the model says."""
import kaldi_native_fbank as knf
import numpy as np

OPTS = knf.MfccOptions()
OPTS.frame_opts.dither = 0
OPTS.frame_opts.snip_edges = True
OPTS.mel_opts.num_bins = 40
OPTS.num_ceps = 40
OPTS.mel_opts.low_freq = 20
OPTS.mel_opts.high_freq = 7600
OPTS.use_energy = False


def mfcc(x):
    """x: float samples in -1..1 at 16 kHz -> [T, 40]."""
    m = knf.OnlineMfcc(OPTS)
    m.accept_waveform(16000, (x * 32768).tolist())
    m.input_finished()
    return np.stack([m.get_frame(i) for i in range(m.num_frames_ready)]) if m.num_frames_ready else np.zeros((0, 40), 'f4')


def pad(f, context=34):
    """Replicated context so that the net gives one output for frames 0, 3, 6 ..."""
    n = (len(f) + 2) // 3
    r = 3 * n - 2 - len(f)
    return np.concatenate([np.repeat(f[:1], context, 0), f[:len(f) + min(r, 0)], np.repeat(f[-1:], context + max(r, 0), 0)])
