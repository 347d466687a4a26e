"""In which part of the world a place lies, for places that people put behind an answer: "the Colosseum in Rome"."""

from collections.abc import Mapping

CONTINENTS = frozenset(("africa", "asia", "europe", "north-america", "south-america", "oceania", "antarctica"))
"""Regions of cards that are parts of the world."""

_PLACES = {
    "africa": """
        africa; algeria; angola; benin; botswana; cameroon; cairo; cape town; congo; egypt; ethiopia; ghana;
        johannesburg; kenya; libya; madagascar; mali; mauritius; morocco; mozambique; namibia; nairobi; niger;
        nigeria; rwanda; senegal; somalia; south africa; sudan; tanzania; tunisia; uganda; zambia; zimbabwe""",
    "asia": """
        asia; afghanistan; baghdad; bangkok; bangladesh; beijing; burma; cambodia; china; delhi; dubai; hong kong;
        india; indonesia; iran; iraq; israel; japan; jordan; korea; kuwait; laos; lebanon; malaysia; manila;
        mongolia; mumbai; myanmar; nepal; north korea; oman; pakistan; peking; philippines; qatar; saudi arabia;
        seoul; shanghai; siberia; singapore; south korea; sri lanka; syria; taiwan; thailand; tibet; tokyo;
        vietnam; yemen""",
    "europe": """
        europe; albania; amsterdam; athens; austria; barcelona; belgium; berlin; bosnia; britain; brussels;
        budapest; bulgaria; copenhagen; croatia; czech republic; denmark; dublin; edinburgh; england; estonia;
        finland; france; germany; great britain; greece; holland; hungary; iceland; ireland; italy; latvia;
        lisbon; lithuania; london; luxembourg; madrid; malta; manchester; milan; naples; netherlands; norway;
        oslo; paris; poland; portugal; prague; romania; rome; scotland; serbia; slovakia; slovenia; spain;
        stockholm; sweden; switzerland; ukraine; unitedkingdom; united kingdom; vienna; wales; warsaw""",
    "north-america": """
        america; north america; alaska; arizona; boston; california; canada; chicago; cuba; dallas; florida;
        guatemala; haiti; houston; jamaica; las vegas; los angeles; mexico; mexico city; miami; montreal; nevada;
        new orleans; new york; newyork; new york city; panama; philadelphia; san francisco; seattle; texas;
        toronto; united states; unitedstates; united states of america; vancouver; washington""",
    "south-america": """
        south america; argentina; bolivia; brazil; buenos aires; chile; colombia; ecuador; guyana; lima; paraguay;
        peru; rio; rio de janeiro; sao paulo; suriname; uruguay; venezuela""",
    "oceania": """
        oceania; auckland; australia; fiji; melbourne; new zealand; papua new guinea; perth; samoa; sydney;
        tahiti; tasmania; tonga""",
    "antarctica": "antarctica",
}


def _regions() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for region, places in _PLACES.items():
        for place in places.split(";"):
            found.setdefault(" ".join(place.split()), set()).add(region)
    for place in ("russia", "turkey", "istanbul", "moscow"):
        found[place] = {"europe", "asia"}
    found["america"] |= {"south-america"}
    found["hawaii"] = {"north-america", "oceania"}
    return {place: frozenset(regions) for place, regions in found.items()}


REGIONS_OF = _regions()
"""A place in canonical words, without its article -> the regions it lies in."""
