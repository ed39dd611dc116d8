"""ONNX Runtime on a network that `outplay net convert` wrote: `python3 onnx_peer.py MODEL.onnx SECONDS BATCH[,BATCH...]`

One thread, 32-bit numbers, positions a second of processor time for each size of batch: the peer of `outplay net bench MODEL --device cpu`.
"""

import sys
import time

import numpy as np
import onnxruntime

model, seconds, batches = sys.argv[1], float(sys.argv[2]), [int(batch) for batch in sys.argv[3].split(",")]
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
planes = session.get_inputs()[0]
for batch in batches:
    positions = (np.random.rand(batch, *planes.shape[1:]) < 0.3).astype(np.float32)
    session.run(None, {planes.name: positions})
    count, began, used = 0, time.time(), time.thread_time()
    while time.time() - began < seconds:
        session.run(None, {planes.name: positions})
        count += batch
    print(f"batch {batch}: {count / (time.thread_time() - used):.0f} evaluations a second")
