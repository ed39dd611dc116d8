"""The loss of a network and its gradients by PyTorch: a second way, to hold our own training against.

Called with a file of JSON that says what the network is and where its numbers stand in the file of numbers beside it, and with the type to compute in. Writes
the gradients as 64-bit floats in the order of the numbers and prints the losses as JSON.
"""

import json
import sys

import numpy
import torch
from torch.nn import functional

folder, kind = sys.argv[1], getattr(torch, sys.argv[2])
torch.set_num_threads(1)
told = json.load(open(folder + "/told.json"))
numbers = numpy.fromfile(folder + "/numbers.f32", dtype="<f4")


def array(name):
    start, *shape = told["arrays"][name]
    size = int(numpy.prod(shape))
    return torch.tensor(numbers[start : start + size].reshape(shape), dtype=kind)


# All that is trained is one vector, so that its gradient is one too.
values = array("values").requires_grad_()


def weight(name):
    start, *shape = told["weights"][name]
    return values[start : start + int(numpy.prod(shape))].reshape(shape)


def conv(name, x):
    w, bias = weight(name + ".weight"), weight(name + ".bias")
    side = w.shape[2]
    if name + ".scale" not in told["weights"]:
        return functional.conv2d(x, w, bias, padding=side // 2)
    y = functional.conv2d(x, w, padding=side // 2)
    return functional.batch_norm(y, None, None, weight(name + ".scale"), bias, training=True, eps=1e-5)


def dense(name, x):
    return functional.linear(x, weight(name + ".weight"), weight(name + ".bias"))


def block(name, shape, x):
    if shape["kind"] == "global_pooling":
        g = torch.relu(conv(name + ".pool", x))
        side = float(g.shape[2] * g.shape[3]) ** 0.5
        mean = g.mean((2, 3))
        pooled = torch.cat([mean, mean * ((side - 14) / 10), g.amax((2, 3))], 1)
        y = conv(name + ".first", x) + dense(name + ".shift", pooled)[:, :, None, None]
        return torch.relu(x + conv(name + ".second", torch.relu(y)))
    z = conv(name + ".second", torch.relu(conv(name + ".first", x)))
    if shape["kind"] == "squeeze_excitation":
        s = dense(name + ".excite", torch.relu(dense(name + ".squeeze", z.mean((2, 3)))))
        gate, shift = s.chunk(2, 1)
        z = torch.sigmoid(gate)[:, :, None, None] * z + shift[:, :, None, None]
    return torch.relu(x + z)


def policy(name, shape, x):
    if shape["kind"] == "convolution":
        return conv(name + ".second", torch.relu(conv(name + ".first", x))).flatten(1)
    return dense(name + ".dense", torch.relu(conv(name + ".conv", x)).flatten(1))


def scalar(name, x):
    hidden = torch.relu(dense(name + ".hidden", torch.relu(conv(name + ".conv", x)).flatten(1)))
    return dense(name + ".output", hidden)


def entropy(logits, target):
    legal, known = target >= 0, target.clamp(min=0)
    chances = functional.log_softmax(logits.masked_fill(~legal, float("-inf")), 1)
    shares = known / known.sum(1, keepdim=True).clamp(min=1e-30)
    return -(shares * chances.masked_fill(~legal, 0)).sum(1)


def distance(said, target):
    known = ~target.isnan()
    error = functional.smooth_l1_loss(said / 8, target.nan_to_num() / 8, reduction="none", beta=1.0)
    return 2 * error * known


network = told["description"]
heads = network["heads"]
x = torch.relu(conv("stem", array("planes")))
for number, shape in enumerate(network["blocks"]):
    x = block(f"blocks.{number}", shape, x)
losses = {"policy": entropy(policy("policy", heads["policy"], x), array("policy"))}
value, target = scalar("value", x), array("value")
if heads["value"]["kind"] == "win_draw_loss":
    losses["value"] = entropy(value, target)
else:
    losses["value"] = (torch.tanh(value[:, 0]) - (target[:, 0] - target[:, 2])) ** 2
if "margin" in heads:
    losses["margin"] = distance(scalar("margin", x)[:, 0], array("margin"))
if "moves_left" in heads:
    losses["moves_left"] = distance(scalar("moves_left", x)[:, 0], array("moves_left"))
if "ownership" in heads:
    said = torch.tanh(conv("ownership.second", torch.relu(conv("ownership.first", x)))).flatten(1)
    target = array("ownership")
    losses["ownership"] = ((said - target.nan_to_num()) ** 2 * ~target.isnan()).mean(1)
if "reply" in heads:
    losses["reply"] = entropy(policy("reply", heads["reply"], x), array("reply"))
means = {name: (loss * array("weight")).mean() for name, loss in losses.items()}
total = sum(told["counts"][name] * loss for name, loss in means.items())
total.backward()
values.grad.double().numpy().astype("<f8").tofile(folder + "/gradients.f64")
print(json.dumps({name: loss.item() for name, loss in (means | {"total": total}).items()}))
