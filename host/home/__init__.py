"""The home around the box: what Home Assistant and the like may see and press. Off unless it is asked for."""
