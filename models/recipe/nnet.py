# ruff: noqa - the recipe of the model, kept as it ran; tooling, not part of the host
"""The Korean Vosk TDNN-F trunk as a PyTorch module, its import from and export to Kaldi's final.mdl."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from kaldi_io import Reader, Writer

ARRAYS = {'<LinearParams>', '<BiasParams>', '<Params>', '<StatsMean>', '<StatsVar>'}


def read_components(path):
    """name -> {field: array or float} of every component in a binary nnet3 model."""
    d = open(path, 'rb').read()
    out, p = {}, d.index(b'<NumComponents>')
    while True:
        i = d.find(b'<ComponentName> ', p)
        if i < 0:
            return out
        j = d.find(b'<ComponentName> ', i + 10)
        j = j if j > 0 else d.index(b'</Nnet3>', i)
        r = Reader(d[i:j])
        r.expect('<ComponentName>')
        name = r.token()
        c = {'type': r.token()}
        for f in ARRAYS:
            k = r.b.find(f.encode() + b' F')
            if k >= 0:
                rr = Reader(r.b)
                rr.p = k + len(f) + 1
                c[f] = rr.array()
        k = r.b.find(b'<TimeOffsets> ')
        if k >= 0:
            n = r.b[k + 15]
            c['offsets'] = np.frombuffer(r.b, '<i4', n, k + 19).tolist()
        k = r.b.find(b'<Epsilon> \4')
        if k >= 0:
            c['eps'] = np.frombuffer(r.b, '<f4', 1, k + 11)[0]
            k = r.b.find(b'<TargetRms> \4')
            c['rms'] = np.frombuffer(r.b, '<f4', 1, k + 13)[0]
        out[name] = c
        p = j


OFFSETS = [1, 1, 1, 0] + [3] * 10           # tdnnf2 .. tdnnf15
CONTEXT = 34                                # frames each side


class Norm(nn.Module):
    """relu followed by a frozen batchnorm, as scale and offset."""

    def __init__(self, dim):
        super().__init__()
        self.scale, self.offset = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return torch.addcmul(self.offset.to(x.dtype), x, self.scale.to(x.dtype))


class TdnnF(nn.Module):
    def __init__(self, offset, dim=768, bottleneck=64):
        super().__init__()
        self.offset, self.b = offset, bottleneck
        k = 2 if offset else 1
        self.linear = nn.Linear(k * dim, bottleneck, bias=False)
        self.affine = nn.Linear(k * bottleneck, dim)
        self.norm = Norm(dim)

    def forward(self, x, step, drop):
        """step: the offset in frames of x (1, or offset / 3 once subsampled)."""
        if not self.offset:
            y = self.affine(self.linear(x))
        else:
            b, d = self.b, x.shape[-1]
            w = torch.cat([self.linear.weight[:, :d], self.linear.weight[:, d:]])
            p = F.linear(x, w)
            z = p[:, :-step, :b] + p[:, step:, b:]
            y = self.affine(torch.cat([z[:, :-step], z[:, step:]], -1))
            x = x[:, step:-step]
        y = self.norm(F.relu(y))
        if drop:
            y = y * (1 + drop * (2 * torch.rand(y.shape[0], 1, y.shape[2], dtype=y.dtype) - 1))
        return torch.add(y, x, alpha=0.66)


class Net(nn.Module):
    def __init__(self, num_pdfs, dim=768):
        super().__init__()
        self.tdnn1 = nn.Linear(120, dim)
        self.norm1 = Norm(dim)
        self.layers = nn.ModuleList(TdnnF(o, dim) for o in OFFSETS)
        self.prefinal_l = nn.Linear(dim, 64, bias=False)
        self.pf_affine = nn.Linear(64, dim)
        self.pf_norm1 = Norm(dim)
        self.pf_linear = nn.Linear(dim, 64, bias=False)
        self.pf_norm2 = Norm(64)
        self.output = nn.Linear(64, num_pdfs)

    def trunk(self, x, drop=0., collect=None):
        """x: [B, 3 N - 2 + 2 CONTEXT, 40] MFCC -> [B, N, 768]."""
        h = F.relu(self.tdnn1(torch.cat([x[:, :-2], x[:, 1:-1], x[:, 2:]], -1)))
        h = self.norm1(h)
        for i, l in enumerate(self.layers):
            if i == 3:
                h = h[:, ::3]        # 30 frames of context are left on each side
            h = l(h, 1, drop)
            if collect is not None:
                collect.append(h)
        return h


    def head(self, h):
        h = self.pf_norm1(F.relu(self.pf_affine(self.prefinal_l(h))))
        return self.output(self.pf_norm2(self.pf_linear(h)))

    def forward(self, x, drop=0.):
        return self.head(self.trunk(x, drop))


def bn(c):
    s = c['rms'] / np.sqrt(c['<StatsVar>'] + c['eps'])
    return torch.tensor(s), torch.tensor(-c['<StatsMean>'] * s)


def import_korean(path, num_pdfs):
    """Trunk and pre-final layers of the Korean model; i-vector input removed (constant zero); new output layer."""
    c = read_components(path)
    net = Net(num_pdfs)
    t = torch.tensor

    def norm(m, name):
        s, o = bn(c[name])
        m.scale.data, m.offset.data = s, o

    A, b = c['lda']['<LinearParams>'], c['lda']['<BiasParams>']
    W, w = c['tdnn1.affine']['<LinearParams>'], c['tdnn1.affine']['<BiasParams>']
    net.tdnn1.weight.data, net.tdnn1.bias.data = t((W @ A)[:, :120].copy()), t(W @ b + w)
    norm(net.norm1, 'tdnn1.batchnorm')
    for i, l in enumerate(net.layers, 2):
        l.linear.weight.data = t(c[f'tdnnf{i}.linear']['<LinearParams>'])
        l.affine.weight.data = t(c[f'tdnnf{i}.affine']['<LinearParams>'])
        l.affine.bias.data = t(c[f'tdnnf{i}.affine']['<BiasParams>'])
        norm(l.norm, f'tdnnf{i}.batchnorm')
    net.prefinal_l.weight.data = t(c['prefinal-l']['<Params>'])
    net.pf_affine.weight.data = t(c['prefinal-chain.affine']['<LinearParams>'])
    net.pf_affine.bias.data = t(c['prefinal-chain.affine']['<BiasParams>'])
    norm(net.pf_norm1, 'prefinal-chain.batchnorm1')
    net.pf_linear.weight.data = t(c['prefinal-chain.linear']['<Params>'])
    norm(net.pf_norm2, 'prefinal-chain.batchnorm2')
    nn.init.normal_(net.output.weight, std=.05)
    nn.init.zeros_(net.output.bias)
    return net
