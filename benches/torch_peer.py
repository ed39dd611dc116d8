"""PyTorch on the networks that we measure ourselves by: `python3 torch_peer.py infer|train BLOCKSxCHANNELS ROWSxCOLUMNS BATCH...`

Inference in half precision, training in bf16 with AdamW; each eagerly, as a CUDA graph, and compiled as a CUDA graph, which is the fair peer.
Prints positions a second, what a graph's replay needs alone: no positions come in and no answers go out.
"""

import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.backends.cudnn.benchmark = True


class Block(nn.Module):
    def __init__(self, channels, training):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=not training)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=not training)
        norm = (lambda: nn.BatchNorm2d(channels)) if training else nn.Identity
        self.norms = nn.ModuleList([norm(), norm()])

    def forward(self, x):
        inner = F.relu(self.norms[0](self.first(x)))
        return F.relu(x + self.norms[1](self.second(inner)))


class Net(nn.Module):
    """Three planes, a policy of cells and a pass by a dense layer, win, draw and loss."""

    def __init__(self, blocks, channels, rows, columns, training):
        super().__init__()
        norm = nn.BatchNorm2d if training else (lambda _: nn.Identity())
        self.stem = nn.Sequential(nn.Conv2d(3, channels, 3, padding=1, bias=not training), norm(channels), nn.ReLU())
        self.blocks = nn.Sequential(*[Block(channels, training) for _ in range(blocks)])
        self.policy = nn.Sequential(nn.Conv2d(channels, 8, 1, bias=not training), norm(8), nn.ReLU(), nn.Flatten())
        self.moves = nn.Linear(8 * rows * columns, rows * columns + 1)
        self.value = nn.Sequential(nn.Conv2d(channels, 8, 1, bias=not training), norm(8), nn.ReLU(), nn.Flatten())
        self.hidden = nn.Linear(8 * rows * columns, 64)
        self.result = nn.Linear(64, 3)

    def forward(self, x):
        x = self.blocks(self.stem(x))
        return self.moves(self.policy(x)), self.result(F.relu(self.hidden(self.value(x))))


def captured(step):
    """A replay of what a step does, after some steps that warm everything up."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(5):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def rate(step, batch, seconds=0.5):
    """Positions a second: the median of five."""
    for _ in range(5):
        step()
    torch.cuda.synchronize()
    rates = []
    for _ in range(5):
        begun, steps = time.time(), 0
        while time.time() - begun < seconds / 5:
            for _ in range(5):
                step()
            torch.cuda.synchronize()
            steps += 5
        rates.append(steps * batch / (time.time() - begun))
    return sorted(rates)[2]


def inference(shape, batch, compiled):
    net = Net(*shape, training=False).cuda().eval().half().to(memory_format=torch.channels_last)
    x = torch.rand(batch, 3, *shape[2:], device="cuda", dtype=torch.half).to(memory_format=torch.channels_last)
    run = torch.compile(net, dynamic=False) if compiled else net

    def step():
        with torch.inference_mode():
            run(x)

    return step


def training(shape, batch, compiled):
    net = Net(*shape, training=True).cuda().to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), 1e-3, fused=True, capturable=True)
    x = torch.rand(batch, 3, *shape[2:], device="cuda").to(memory_format=torch.channels_last)
    moves = torch.softmax(torch.rand(batch, shape[2] * shape[3] + 1, device="cuda"), 1)
    results = torch.softmax(torch.rand(batch, 3, device="cuda"), 1)

    def loss():
        with torch.autocast("cuda", torch.bfloat16):
            policy, value = net(x)
        crossed = lambda logits, wanted: -(F.log_softmax(logits.float(), 1) * wanted).sum(1).mean()
        return crossed(policy, moves) + crossed(value, results)

    compute = torch.compile(loss, dynamic=False) if compiled else loss

    def step():
        optimizer.zero_grad(set_to_none=False)
        compute().backward()
        optimizer.step()

    return step


def main():
    what, net, board, *batches = sys.argv[1:]
    shape = [int(number) for text in (net, board) for number in text.split("x")]
    for batch in map(int, batches):
        for name, compiled, graph in [("eager", False, False), ("graph", False, True), ("compile + graph", True, True)]:
            torch._dynamo.reset()
            step = (inference if what == "infer" else training)(shape, batch, compiled)
            speed = rate(captured(step) if graph else step, batch)
            print(f"torch {what} {net} on {board}, batch {batch}, {name}: {speed / 1e6:.3f} M/s", flush=True)


if __name__ == "__main__":
    main()
