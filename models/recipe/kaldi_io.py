# ruff: noqa - the recipe of the model, kept as it ran; tooling, not part of the host
"""Minimal reader/writer for Kaldi binary nnet3 acoustic models (am/final.mdl)."""
import struct
import numpy as np


class Reader:
    def __init__(self, data):
        self.b, self.p = data, 0

    def token(self):
        e = self.b.index(b' ', self.p)
        t = self.b[self.p:e].decode()
        self.p = e + 1
        return t

    def peek(self):
        return self.b[self.p:self.b.index(b' ', self.p)].decode('latin1')

    def expect(self, *names):
        for n in names:
            t = self.token()
            assert t == n, (t, n, self.p)

    def int(self):
        n = self.b[self.p]
        v = int.from_bytes(self.b[self.p + 1:self.p + 1 + n], 'little', signed=True)
        self.p += 1 + n
        return v

    def float(self):
        n = self.b[self.p]
        assert n in (4, 8), (n, self.p)
        v = struct.unpack('<f' if n == 4 else '<d', self.b[self.p + 1:self.p + 1 + n])[0]
        self.p += 1 + n
        return v

    def bool(self):
        c = self.b[self.p:self.p + 1]
        self.p += 1
        return c == b'T'

    def line(self):
        e = self.b.index(b'\n', self.p)
        t = self.b[self.p:e].decode()
        self.p = e + 1
        return t

    def ivec(self):
        assert self.b[self.p] == 4
        n = struct.unpack('<i', self.b[self.p + 1:self.p + 5])[0]
        v = np.frombuffer(self.b, '<i4', n, self.p + 5)
        self.p += 5 + 4 * n
        return v

    def array(self):
        t = self.token()
        dt = '<f4' if t[0] == 'F' else '<f8'
        if t[1] == 'M':
            r, c = self.int(), self.int()
            shape = (r, c)
        else:
            shape = (self.int(),)
        n = int(np.prod(shape))
        v = np.frombuffer(self.b, dt, n, self.p).reshape(shape)
        self.p += v.nbytes
        return v.copy()


class Writer:
    def __init__(self):
        self.o = bytearray(b'\0B')

    def token(self, *ts):
        for t in ts:
            self.o += t.encode() + b' '
        return self

    def int(self, v):
        self.o += b'\4' + struct.pack('<i', v)
        return self

    def float(self, v):
        self.o += b'\4' + struct.pack('<f', v)
        return self

    def bool(self, v):
        self.o += b'T' if v else b'F'
        return self

    def raw(self, s):
        self.o += s if isinstance(s, (bytes, bytearray)) else s.encode()
        return self

    def ivec(self, v):
        self.o += b'\4' + struct.pack('<i', len(v)) + np.asarray(v, '<i4').tobytes()
        return self

    def array(self, a):
        a = np.ascontiguousarray(a, '<f4')
        self.token('FM' if a.ndim == 2 else 'FV')
        for n in a.shape:
            self.int(n)
        self.o += a.tobytes()
        return self
