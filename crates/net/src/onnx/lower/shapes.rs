//! Nodes that are about dimensions. A position has no dimension for the batch, so that axes are counted anew.

use super::super::attributes::Attributes;
use super::super::model::Node;
use super::{Lowering, unsupported};
use crate::graph::Operation;
use crate::network::NetError;

impl Lowering<'_> {
    pub(super) fn softmax(&self, node: &Node) -> Result<Operation, NetError> {
        let dimensions = self.shape(node, 0)?.len();
        // Before version 13, all dimensions from the axis on were one.
        let is_old = self.opset < 13;
        let axis = Attributes(&node.attributes).int("axis", if is_old { 1 } else { -1 })?;
        let from = position_axis(axis, dimensions)?;
        Ok(Operation::Softmax { from, to: if is_old { dimensions } else { from + 1 } })
    }

    pub(super) fn reshape(&self, node: &Node) -> Result<Operation, NetError> {
        let Some(target) = self.ints(node, "shape", 1)? else { return unsupported("no shape") };
        if Attributes(&node.attributes).int("allowzero", 0)? != 0 {
            return unsupported("allowzero");
        }
        let shape = self.shape(node, 0)?;
        let total: usize = shape.iter().product();
        let Some((&batch, rest)) = target.split_first() else { return unsupported("an empty shape") };
        let is_batch = match batch {
            0 => true,
            -1 => !rest.contains(&-1),
            fixed => self.batch.is_some_and(|batch| usize::try_from(fixed) == Ok(batch)),
        };
        if !is_batch {
            return unsupported(format!(
                "the shape {target:?}; expected one that begins with the batch (0 or -1)"
            ));
        }
        let mut sizes = Vec::new();
        for (place, &size) in rest.iter().enumerate() {
            sizes.push(match size {
                0 => shape.get(place).copied(),
                -1 => Some(0),
                size => usize::try_from(size).ok(),
            });
        }
        let Some(mut sizes) = sizes.into_iter().collect::<Option<Vec<usize>>>() else {
            return unsupported(format!("the shape {target:?} for a value of the shape {shape:?}"));
        };
        let known =
            sizes.iter().filter(|&&size| size != 0).try_fold(1usize, |all, &size| all.checked_mul(size));
        if let (Some(open), Some(known)) = (rest.iter().position(|&size| size == -1), known) {
            sizes[open] = total / known;
        }
        Ok(Operation::Reshape(sizes))
    }

    pub(super) fn unit_dimensions(&self, node: &Node) -> Result<Operation, NetError> {
        let shape = self.shape(node, 0)?;
        let Some(axes) = self.ints(node, "axes", 1)? else { return unsupported("no axes") };
        let mut sizes = shape.to_vec();
        let mut places = axes
            .iter()
            .map(|&axis| {
                position_axis(
                    axis,
                    if node.kind == "Squeeze" { shape.len() } else { shape.len() + axes.len() },
                )
            })
            .collect::<Result<Vec<_>, _>>()?;
        places.sort_unstable();
        if node.kind == "Squeeze" {
            for place in places.into_iter().rev() {
                match sizes.get(place) {
                    Some(1) => drop(sizes.remove(place)),
                    _ => return unsupported(format!("axes {axes:?} for a value of the shape {shape:?}")),
                }
            }
        } else {
            for place in places {
                if place > sizes.len() {
                    return unsupported(format!("axes {axes:?} for a value of the shape {shape:?}"));
                }
                sizes.insert(place, 1);
            }
        }
        Ok(Operation::Reshape(sizes))
    }

    pub(super) fn reduce_mean(&self, node: &Node) -> Result<Operation, NetError> {
        let dimensions = self.shape(node, 0)?.len();
        let axes = self.ints(node, "axes", 1)?.unwrap_or_default();
        let mut places =
            axes.iter().map(|&axis| position_axis(axis, dimensions)).collect::<Result<Vec<_>, _>>()?;
        places.sort_unstable();
        if dimensions != 3 || places != [1, 2] {
            return unsupported(format!("axes {axes:?}; expected rows and columns, 2 and 3"));
        }
        Ok(Operation::BoardMean { keeps: Attributes(&node.attributes).int("keepdims", 1)? != 0 })
    }

    pub(super) fn concat(&self, node: &Node) -> Result<Operation, NetError> {
        let dimensions = self.shape(node, 0)?.len();
        let axis = Attributes(&node.attributes).int("axis", 1)?;
        Ok(Operation::Concat { axis: position_axis(axis, dimensions)? })
    }

    pub(super) fn split(&mut self, node: &Node) -> Result<(), NetError> {
        let value = self.value(node, 0)?;
        let shape = self.graph.shape(value).to_vec();
        let axis = position_axis(Attributes(&node.attributes).int("axis", 0)?, shape.len())?;
        let (size, parts) = (shape[axis], node.outputs.len());
        let lengths = match self.ints(node, "split", 1)? {
            Some(lengths) => lengths.iter().map(|&length| usize::try_from(length).unwrap_or(0)).collect(),
            None if parts > 0 && size % parts == 0 => vec![size / parts; parts],
            None => return unsupported(format!("{parts} outputs for {size} numbers")),
        };
        if lengths.len() != parts {
            return unsupported(format!("{parts} outputs for the parts {lengths:?}"));
        }
        let mut from = 0usize;
        for (name, length) in node.outputs.iter().zip(lengths) {
            let to = from.saturating_add(length);
            let part = self.graph.push(Operation::Slice { axis, from, to }, vec![value])?;
            self.values.insert(name.clone(), part);
            from = to;
        }
        Ok(())
    }
}

/// The place of an axis in the shape of a position, which has no dimension for the batch.
fn position_axis(axis: i64, dimensions: usize) -> Result<usize, NetError> {
    let with_batch = dimensions as i64 + 1;
    let place = if axis < 0 { axis.saturating_add(with_batch) } else { axis };
    match usize::try_from(place - 1) {
        Ok(place) if place < dimensions => Ok(place),
        _ => unsupported(format!("axis {axis}; expected one of {dimensions} after the batch")),
    }
}
