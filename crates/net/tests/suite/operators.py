"""Writes operators.json: small ONNX models of many operators, and what ONNX Runtime computes with them.

Run it with numpy, onnx and onnxruntime: python operators.py > operators.json
"""

import json

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper

ROWS, COLUMNS, CHANNELS = 4, 5, 3
random = numpy.random.default_rng(3)


class Graph:
    """Nodes and constants, with names made up."""

    def __init__(self):
        self.nodes, self.constants, self.count = [], [], 0

    def constant(self, numbers, kind=numpy.float32):
        self.count += 1
        name = f"c{self.count}"
        self.constants.append(onnx.numpy_helper.from_array(numpy.asarray(numbers, dtype=kind), name))
        return name

    def weights(self, *shape):
        return self.constant(random.uniform(-1, 1, shape).round(3))

    def node(self, kind, *inputs, outputs=1, **attributes):
        self.count += 1
        names = [f"v{self.count}.{number}" for number in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, name=names[0], **attributes))
        return names[0] if outputs == 1 else names

    def conv(self, x, outputs, inputs, side, bias=True, **attributes):
        weights = self.weights(outputs, inputs // attributes.get("group", 1), side, side)
        inputs = [x, weights] + ([self.weights(outputs)] if bias else [])
        if "auto_pad" not in attributes:
            attributes.setdefault("pads", [side // 2] * 4)
        return self.node("Conv", *inputs, **attributes)

    def norm(self, x, channels, **attributes):
        gamma, variance = [self.constant(random.uniform(0.5, 2, channels).round(3)) for _ in range(2)]
        beta, mean = [self.weights(channels) for _ in range(2)]
        return self.node("BatchNormalization", x, gamma, beta, mean, variance, **attributes)

    def conv_norm_relu(self, x, outputs, inputs, side):
        return self.node("Relu", self.norm(self.conv(x, outputs, inputs, side, bias=False), outputs))

    def gemm(self, x, outputs, inputs, transposed=True, **attributes):
        shape = (outputs, inputs) if transposed else (inputs, outputs)
        return self.node("Gemm", x, self.weights(*shape), self.weights(outputs), transB=int(transposed), **attributes)

    def mat_mul(self, x, outputs, inputs):
        return self.node("Add", self.node("MatMul", x, self.weights(inputs, outputs)), self.weights(outputs))

    def name(self, value, name):
        for node in self.nodes:
            for place, output in enumerate(node.output):
                if output == value:
                    node.output[place] = name
            for place, used in enumerate(node.input):
                if used == value:
                    node.input[place] = name

    def dense_heads(self, x, channels):
        cells = ROWS * COLUMNS
        policy = self.node("Flatten", self.conv_norm_relu(x, 2, channels, 1))
        self.name(self.gemm(policy, 6, 2 * cells), "policy")
        value = self.node("Flatten", self.conv_norm_relu(x, 2, channels, 1))
        value = self.node("Relu", self.mat_mul(value, 5, 2 * cells))
        self.name(self.node("Tanh", self.gemm(value, 1, 5)), "value")


def residual(graph, x):
    y = graph.conv_norm_relu(x, CHANNELS, CHANNELS, 3)
    return graph.norm(graph.conv(y, CHANNELS, CHANNELS, 3, bias=False), CHANNELS)


def tower_with_norms(opset):
    graph = Graph()
    x = graph.conv_norm_relu("planes", CHANNELS, 3, 3)
    x = graph.node("Relu", graph.node("Add", x, residual(graph, x)))
    z = residual(graph, x)
    # Squeeze and excitation without a shift.
    squeezed = graph.node("Flatten", graph.node("GlobalAveragePool", z))
    squeezed = graph.node("Relu", graph.mat_mul(squeezed, 2, CHANNELS))
    gate = graph.node("Sigmoid", graph.mat_mul(squeezed, CHANNELS, 2))
    if opset < 13:
        gate = graph.node("Unsqueeze", gate, axes=[2, 3])
    else:
        gate = graph.node("Unsqueeze", gate, graph.constant([2, 3], numpy.int64))
    x = graph.node("Relu", graph.node("Add", graph.node("Mul", gate, z), x))
    graph.dense_heads(x, CHANNELS)
    return graph


def tower_with_shifts(opset):
    """Squeeze and excitation as lc0 has it, of convolutions and a split, and a convolution policy."""
    graph = Graph()
    x = graph.conv_norm_relu("planes", CHANNELS, 3, 3)
    z = residual(graph, x)
    if opset < 18:
        pooled = graph.node("ReduceMean", z, axes=[2, 3])
    else:
        pooled = graph.node("ReduceMean", z, graph.constant([2, 3], numpy.int64))
    squeezed = graph.node("Relu", graph.conv(pooled, 2, CHANNELS, 1))
    excited = graph.conv(squeezed, 2 * CHANNELS, 2, 1)
    if opset < 13:
        gate, shift = graph.node("Split", excited, outputs=2, axis=1, split=[CHANNELS, CHANNELS])
    else:
        parts = graph.constant([CHANNELS, CHANNELS], numpy.int64)
        gate, shift = graph.node("Split", excited, parts, outputs=2, axis=1)
    scaled = graph.node("Mul", z, graph.node("Sigmoid", gate))
    x = graph.node("Relu", graph.node("Add", scaled, graph.node("Add", shift, x)))
    policy = graph.conv(graph.node("Relu", graph.conv(x, 2, CHANNELS, 3)), 2, 2, 3)
    shape = graph.constant([-1, 2 * ROWS * COLUMNS], numpy.int64)
    graph.name(graph.node("Reshape", policy, shape), "policy")
    value = graph.node("Relu", graph.conv(x, 2, CHANNELS, 1))
    value = graph.node("Reshape", value, graph.constant([0, -1], numpy.int64))
    value = graph.node("Relu", graph.gemm(value, 4, 2 * ROWS * COLUMNS))
    graph.name(graph.node("Softmax", graph.gemm(value, 3, 4), axis=1), "value")
    return graph


def odd_operators(opset):
    """Whatever no tower has."""
    graph = Graph()
    # A normalisation before any convolution, and constants of several shapes.
    x = graph.norm("planes", 3, epsilon=0.01)
    x = graph.node("Mul", x, graph.weights(3, 1, 1))
    x = graph.node("Add", graph.weights(1, 1, ROWS, 1), x)
    a = graph.conv(x, 4, 3, 3, strides=[2, 1], auto_pad="SAME_UPPER")
    b = graph.conv(x, 4, 3, 2, strides=[2, 1], auto_pad="SAME_LOWER")
    c = graph.node("MaxPool", x, kernel_shape=[3, 3], strides=[2, 1], pads=[1, 1, 1, 1])
    d = graph.node("Concat", a, b, c, axis=1)
    d = graph.conv(d, 6, 11, 1)
    e = graph.conv(d, 6, 6, 3, group=3, dilations=[1, 2], pads=[1, 2, 1, 2])
    # Two names for one value, one of which a normalisation follows: it must not change the other.
    f = graph.norm(graph.node("Identity", e), 6)
    g = graph.node("Softmax", graph.node("Add", e, f), axis=2)
    g = graph.node("Mul", g, graph.node("GlobalMaxPool", graph.node("Dropout", e)))
    g = graph.node("Add", g, graph.node("Sigmoid", f))
    number = graph.node("Constant", value=helper.make_tensor("half", TensorProto.FLOAT, [], [0.5]))
    g = graph.node("Mul", g, number)
    flat = graph.node("Reshape", g, graph.constant([0, 3, -1], numpy.int64))
    flat = graph.node("MatMul", flat, graph.weights(20, 2))
    flat = graph.node("Flatten", graph.node("Tanh", flat))
    graph.name(graph.gemm(flat, 6, 6, transposed=False, alpha=0.5, beta=2.0), "policy")
    graph.name(graph.gemm(flat, 3, 6), "value")
    return graph


def model(graph, opset):
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["N", None]) for name in ("policy", "value")]
    planes = helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["N", 3, ROWS, COLUMNS])
    whole = helper.make_graph(graph.nodes, "operators", [planes], outputs, graph.constants)
    made = helper.make_model(whole, opset_imports=[helper.make_opsetid("", opset)], ir_version=6 if opset < 13 else 8)
    onnx.checker.check_model(made)
    return made.SerializeToString()


def main():
    answers = []
    for make, forms in [
        (tower_with_norms, "tanh"),
        (tower_with_shifts, "win_draw_loss"),
        (odd_operators, "win_draw_loss_logits"),
    ]:
        for opset in (11, 17):
            data = model(make(opset), opset)
            bits = random.integers(0, 2, (3, 2, ROWS * COLUMNS))
            constants = random.integers(0, 9, 3) / 8
            planes = numpy.concatenate([bits, numpy.ones((3, 1, ROWS * COLUMNS)) * constants[:, None, None]], axis=1)
            planes = planes.reshape(3, 3, ROWS, COLUMNS).astype(numpy.float32)
            session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
            policy, value = session.run(["policy", "value"], {"planes": planes})
            words = [[sum(int(bit) << cell for cell, bit in enumerate(plane)) for plane in position] for position in bits]
            answers.append({
                "name": f"{make.__name__}, opset {opset}",
                "model": data.hex(),
                "form": forms,
                "bits": words,
                "constants": constants.tolist(),
                "policy": policy.flatten().tolist(),
                "value": value.flatten().tolist(),
            })
    print("[" + ",\n".join(json.dumps(answer) for answer in answers) + "]")


main()
