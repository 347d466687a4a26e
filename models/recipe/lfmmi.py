# ruff: noqa - the recipe of the model, kept as it ran; tooling, not part of the host
"""Lattice-free MMI in PyTorch for small monophone models.

Chain topology: phone i emits pdf 2i on its first frame and pdf 2i+1 on each later one.
Numerator: the transcript as a small graph (pronunciation variants, optional silence).
Denominator: a dense phone trigram.
"""
import torch


class Denominator:
    def __init__(self, trans, final):
        """trans [Q, Q, P]: P(r | p, q), index P of Q = sentence start; final [Q, Q]: P(end | p, q)."""
        self.T = trans.permute(1, 0, 2).contiguous()            # [q, p, r]
        self.Tt = self.T.transpose(1, 2).contiguous()           # [q, r, p]
        self.final = final.t().contiguous()                     # [q, p]

    def __call__(self, x, mask):
        """x [T, B, 2P] log-likelihoods, mask [T, B] true in the utterance -> (logprob [B], posteriors [T, B, 2P])."""
        T, B, D = x.shape
        P, Q = D // 2, D // 2 + 1
        m = x.max(-1, keepdim=True).values
        e = torch.exp(x - m).view(T, B, P, 2)
        mf = mask.float()
        f = (e[..., 0] * mf[..., None]).permute(0, 2, 1).contiguous()            # [T, P, B]
        l = torch.where(mask[..., None], e[..., 1], 1.).permute(0, 2, 1)
        l = torch.cat([l, (1 - mf)[:, None]], 1).contiguous()                    # start state: no self-loop
        A = x.new_zeros(T + 1, Q, B, Q)
        A[0, P, :, P] = 1
        c = x.new_ones(T, B)
        for t in range(T):
            N = torch.bmm(A[t], self.T)                                          # [q, B, r]
            a = A[t] * l[t][:, :, None]
            a[:P] += N.permute(2, 1, 0) * f[t][:, :, None]
            s = a.sum((0, 2))
            c[t] = s
            A[t + 1] = a / s[None, :, None]
        z = (A[T] * self.final[:, None]).sum((0, 2))
        logp = torch.log(z) + (torch.log(c) + m[..., 0] * mf).sum(0)
        Bt = (self.final[:, None] / z[None, :, None]).expand(Q, B, Q).contiguous()
        post = x.new_zeros(T, B, P, 2)
        for t in range(T - 1, -1, -1):
            lb = Bt * (l[t] / c[t])[:, :, None]
            pl = (A[t] * lb).sum(2)                                              # [Q, B]
            tot = (A[t + 1] * Bt).sum(2)
            post[t, :, :, 1] = pl[:P].t()
            post[t, :, :, 0] = (tot - pl)[:P].t()
            g = (Bt[:P] * (f[t] / c[t])[:, :, None]).permute(2, 1, 0)             # [q, B, r]
            Bt = lb + torch.bmm(g, self.Tt)
        return logp, post.view(T, B, D) * mf[..., None]


def graph(words, lex, sil=0, maxpron=3, edges=False):
    """edges: silence at both ends is a must. -> (phone of each state, predecessors of each, final states); state 0 is the start."""
    phones, preds = [-1], [[]]
    ends = [0]

    def add(p, pr):
        phones.append(p)
        preds.append(list(pr))
        return len(phones) - 1

    def opt_sil(ends):
        return ends + [add(sil, ends)]

    ends = [add(sil, ends)] if edges else opt_sil(ends)
    for w in words:
        new = []
        for pron in lex[w][:maxpron]:
            cur = ends
            for p in pron:
                cur = [add(p, cur)]
            new += cur
        ends = opt_sil(new)
    if edges or not words:
        ends = ends[-1:]
    return phones, preds, ends


def collate(graphs):
    B, U = len(graphs), max(len(g[0]) for g in graphs) + 1            # the last state is a dummy
    K = max(len(p) for g in graphs for p in g[1])
    ph = torch.zeros(B, U, dtype=torch.long)
    pred = torch.full((B, U, K), U - 1)
    succs = [[[] for _ in range(U)] for _ in graphs]
    fin = torch.zeros(B, U, dtype=torch.double)
    real = torch.zeros(B, U, dtype=torch.double)
    for b, (p, pr, ends) in enumerate(graphs):
        ph[b, 1:len(p)] = torch.tensor(p[1:])
        real[b, 1:len(p)] = 1
        fin[b, ends] = 1
        for u, q in enumerate(pr):
            for k, v in enumerate(q):
                pred[b, u, k] = v
                succs[b][v].append(u)
    K2 = max(len(s) for ss in succs for s in ss)
    succ = torch.full((B, U, K2), U - 1)
    for b, ss in enumerate(succs):
        for u, s in enumerate(ss):
            if s:
                succ[b, u, :len(s)] = torch.tensor(s)
    return ph, pred, succ, fin, real


def numerator(x, mask, G):
    """As Denominator.__call__, for collated transcript graphs G."""
    T, B, D = x.shape
    ph, pred, succ, fin, real = G
    U = ph.shape[1]
    K, K2 = pred.shape[2], succ.shape[2]
    pred, succ = pred.view(B, -1), succ.view(B, -1)
    m = x.max(-1, keepdim=True).values
    e = torch.exp((x - m).double())
    mf = mask.double()
    idx = ph[None].expand(T, B, U)
    F = e.gather(2, 2 * idx) * real * mf[..., None]
    L = e.gather(2, 2 * idx + 1) * real
    L = torch.where(mask[..., None], L, 1.)
    A = x.new_zeros(T + 1, B, U, dtype=torch.double)
    A[0, :, 0] = 1
    c = torch.ones(T, B, dtype=torch.double)
    for t in range(T):
        a = F[t] * A[t].gather(1, pred).view(B, U, K).sum(2) + L[t] * A[t]
        s = a.sum(1).clamp_min(1e-280)
        c[t] = s
        A[t + 1] = a / s[:, None]
    z = (A[T] * fin).sum(1)
    ok = z > 1e-250
    zz = z.clamp_min(1e-250)
    logp = torch.log(zz) + (torch.log(c) + m[..., 0].double() * mf).sum(0)
    Bt = fin / zz[:, None]
    post = torch.zeros(T, B, D, dtype=torch.double)
    for t in range(T - 1, -1, -1):
        lb = L[t] * Bt / c[t][:, None]
        pl = A[t] * lb
        pf = A[t + 1] * Bt - pl
        post[t].scatter_add_(1, 2 * ph, pf * real)
        post[t].scatter_add_(1, 2 * ph + 1, pl * real)
        Bt = lb + (F[t] * Bt / c[t][:, None]).gather(1, succ).view(B, U, K2).sum(2)
    return logp, post.float() * mask[..., None], ok
