# ruff: noqa - the recipe of the model, kept as it ran; tooling, not part of the host
"""Write am/final.mdl (Kaldi TransitionModel + nnet3), conf/ and the phone files from a trained checkpoint.

usage: export_model.py CHECKPOINT MODEL_DIR
"""
import os
import struct
import sys

import torch

import common as C
from kaldi_io import Writer
from nnet import CONTEXT, OFFSETS, Net

MFCC = '--use-energy=false\n--num-mel-bins=40\n--num-ceps=40\n--low-freq=20\n--high-freq=7600\n--allow-upsample=true\n--allow-downsample=true\n'
CONF = ('--min-active=200\n--max-active={max_active}\n--beam={beam}\n--lattice-beam={lattice_beam}\n--acoustic-scale={acoustic_scale}\n'
        '--frame-subsampling-factor=3\n--endpoint.silence-phones=1\n--endpoint.rule2.min-trailing-silence=0.5\n'
        '--endpoint.rule3.min-trailing-silence=1.0\n--endpoint.rule4.min-trailing-silence=2.0\n')
DEFAULTS = dict(max_active=3000, beam=10.0, lattice_beam=2.0, acoustic_scale=0.8)


def transition_model(w):
    pos = C.position_phones()                                   # [(name, pdf phone index)], ids from 1
    n = len(pos)
    w.token('<TransitionModel>', '<Topology>').ivec(range(1, n + 1)).ivec([-1] + [0] * n)
    w.int(-1).int(1).int(2)                                     # one entry of two states, own pdf for the self-loop
    w.int(0).int(1).int(2).int(0).float(.5).int(1).float(.5)
    w.int(-1).int(-1).int(0)
    w.token('</Topology>', '<Tuples>').int(n)
    for i, (_, p) in enumerate(pos, 1):
        w.int(i).int(0).int(2 * p).int(2 * p + 1)
    w.token('</Tuples>', '<LogProbs>')
    w.array(torch.tensor([0.] + [-0.6931472] * (2 * n)).numpy())
    w.token('</LogProbs>', '</TransitionModel>')


def double(v):
    return b'\x08' + struct.pack('<d', v)


class NnetWriter:
    def __init__(self):
        self.lines, self.comps = ['input-node name=input dim=40'], []

    def add(self, name, inp, body):
        w = Writer()
        w.o = bytearray()
        body(w)
        self.comps.append((name, bytes(w.o)))
        self.lines.append(f'component-node name={name} component={name} input={inp}')
        return name

    def affine(self, name, inp, m):
        return self.add(name, inp, lambda w: w.token('<AffineComponent>', '<LearningRate>').float(.001).token('<LinearParams>').array(m.weight)
                        .token('<BiasParams>').array(m.bias).token('</AffineComponent>'))

    def linear(self, name, inp, m):
        return self.add(name, inp, lambda w: w.token('<LinearComponent>', '<LearningRate>').float(.001).token('<Params>').array(m.weight)
                        .token('<OrthonormalConstraint>').float(0).token('<UseNaturalGradient>').bool(True).token('<RankInOut>').int(20).int(32)
                        .token('<Alpha>').float(4).token('<NumSamplesHistory>').float(2000).token('<UpdatePeriod>').int(4).token('</LinearComponent>'))

    def tdnn(self, name, inp, weight, bias, offsets):
        return self.add(name, inp, lambda w: w.token('<TdnnComponent>', '<LearningRate>').float(.001).token('<TimeOffsets>').ivec(offsets)
                        .token('<LinearParams>').array(weight).token('<BiasParams>').array(bias)
                        .token('<OrthonormalConstraint>').float(0).token('<UseNaturalGradient>').bool(True).token('<NumSamplesHistory>').float(2000)
                        .token('<AlphaInOut>').float(4).float(4).token('<RankInOut>').int(20).int(80).token('</TdnnComponent>'))

    def relu(self, name, inp, dim):
        e = torch.zeros(0)
        return self.add(name, inp, lambda w: w.token('<RectifiedLinearComponent>', '<Dim>').int(dim).token('<ValueAvg>').array(e).token('<DerivAvg>').array(e)
                        .token('<Count>').raw(double(0)).token('<OderivRms>').array(e).token('<OderivCount>').raw(double(0))
                        .token('<NumDimsSelfRepaired>').raw(double(0)).token('<NumDimsProcessed>').raw(double(0))
                        .token('<SelfRepairScale>').float(1e-5).token('</RectifiedLinearComponent>'))

    def norm(self, name, inp, m):
        s, o = m.scale.double(), m.offset.double()
        assert (s > 0).all()
        eps = 1e-8
        mean, var = -o / s, (1 / s ** 2 - eps).clamp_min(0)
        return self.add(name, inp, lambda w: w.token('<BatchNormComponent>', '<Dim>').int(len(s)).token('<BlockDim>').int(len(s)).token('<Epsilon>').float(eps)
                        .token('<TargetRms>').float(1).token('<TestMode>').bool(True).token('<Count>').raw(double(1000))
                        .token('<StatsMean>').array(mean.float()).token('<StatsVar>').array(var.float()).token('</BatchNormComponent>'))

    def noop(self, name, inp, dim):
        return self.add(name, inp, lambda w: w.token('<NoOpComponent>', '<Dim>').int(dim).token('<BackpropScale>').float(1).token('</NoOpComponent>'))


@torch.no_grad()
def write_mdl(net, path):
    w = Writer()
    transition_model(w)
    n, D = NnetWriter(), net.tdnn1.out_features
    h = n.affine('tdnn1.affine', 'Append(Offset(input, -1), input, Offset(input, 1))', net.tdnn1)
    h = n.norm('tdnn1.batchnorm', n.relu('tdnn1.relu', h, D), net.norm1)
    for i, (l, o) in enumerate(zip(net.layers, OFFSETS), 2):
        t = f'tdnnf{i}.'
        y = n.tdnn(t + 'linear', h, l.linear.weight, torch.zeros(0), [-o, 0] if o else [0])
        y = n.tdnn(t + 'affine', y, l.affine.weight, l.affine.bias, [0, o] if o else [0])
        y = n.norm(t + 'batchnorm', n.relu(t + 'relu', y, D), l.norm)
        h = n.noop(t + 'noop', f'Sum(Scale(0.66, {h}), {y})', D)
    y = n.linear('prefinal-l', h, net.prefinal_l)
    y = n.affine('prefinal-chain.affine', y, net.pf_affine)
    y = n.norm('prefinal-chain.batchnorm1', n.relu('prefinal-chain.relu', y, D), net.pf_norm1)
    y = n.linear('prefinal-chain.linear', y, net.pf_linear)
    y = n.norm('prefinal-chain.batchnorm2', y, net.pf_norm2)
    y = n.affine('output.affine', y, net.output)
    n.lines.append(f'output-node name=output input={y} objective=linear')
    w.token('<Nnet3>').raw('\n' + '\n'.join(n.lines) + '\n\n')
    w.token('<NumComponents>').int(len(n.comps))
    for name, body in n.comps:
        w.token('<ComponentName>', name).raw(body)
    w.token('</Nnet3>', '<LeftContext>').int(CONTEXT).token('<RightContext>').int(CONTEXT).token('<Priors>').array(torch.zeros(0))
    open(path, 'wb').write(bytes(w.o))


def write_conf(out, **kw):
    os.makedirs(f'{out}/conf', exist_ok=True)
    open(f'{out}/conf/mfcc.conf', 'w').write(MFCC)
    open(f'{out}/conf/model.conf', 'w').write(CONF.format(**{**DEFAULTS, **kw}))


if __name__ == '__main__':
    ck, out = sys.argv[1:3]
    net = Net(2 * len(C.PHONES))
    net.load_state_dict(torch.load(ck))
    os.makedirs(f'{out}/am', exist_ok=True)
    write_mdl(net, f'{out}/am/final.mdl')
    write_conf(out)
