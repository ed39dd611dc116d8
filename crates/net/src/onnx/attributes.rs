//! The settings of a node, with the defaults of the standard.

use std::collections::BTreeMap;

use super::model::{Attribute, Constant, Data};
use crate::graph::Window;
use crate::network::NetError;

/// The settings of a node.
#[derive(Clone, Copy)]
pub(super) struct Attributes<'n>(pub(super) &'n BTreeMap<String, Attribute>);

fn wrong<T>(name: &str, what: &str) -> Result<T, NetError> {
    Err(NetError::Unsupported(format!("another {name} than {what}")))
}

impl<'n> Attributes<'n> {
    pub(super) fn int(self, name: &str, default: i64) -> Result<i64, NetError> {
        match self.0.get(name) {
            None => Ok(default),
            Some(Attribute::Int(number)) => Ok(*number),
            Some(_) => wrong(name, "a whole number"),
        }
    }

    pub(super) fn float(self, name: &str, default: f32) -> Result<f32, NetError> {
        match self.0.get(name) {
            None => Ok(default),
            Some(Attribute::Float(number)) if number.is_finite() => Ok(*number),
            Some(_) => wrong(name, "a finite number"),
        }
    }

    pub(super) fn ints(self, name: &str) -> Result<Option<&'n [i64]>, NetError> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Attribute::Ints(numbers)) => Ok(Some(numbers)),
            Some(_) => wrong(name, "a row of whole numbers"),
        }
    }

    fn sizes<const N: usize>(self, name: &str) -> Result<Option<[usize; N]>, NetError> {
        let Some(numbers) = self.ints(name)? else { return Ok(None) };
        let sizes: Option<Vec<usize>> = numbers.iter().map(|&number| usize::try_from(number).ok()).collect();
        match sizes.and_then(|sizes| <[usize; N]>::try_from(sizes).ok()) {
            Some(sizes) => Ok(Some(sizes)),
            None => wrong(name, &format!("{N} sizes")),
        }
    }

    pub(super) fn pair(self, name: &str) -> Result<Option<[usize; 2]>, NetError> {
        self.sizes(name)
    }

    /// How a kernel of this size is laid on this board.
    pub(super) fn window(self, size: [usize; 2], board: [usize; 2]) -> Result<Window, NetError> {
        let strides = self.pair("strides")?.unwrap_or([1; 2]);
        let dilations = self.pair("dilations")?.unwrap_or([1; 2]);
        let mut window = Window { size, strides, dilations, before: [0; 2], after: [0; 2] };
        let auto = match self.0.get("auto_pad") {
            None => "NOTSET",
            Some(Attribute::Text(text)) => text.as_str(),
            Some(_) => return wrong("auto_pad", "a word"),
        };
        match auto {
            "NOTSET" | "" => {
                let [top, left, bottom, right] = self.sizes("pads")?.unwrap_or([0; 4]);
                (window.before, window.after) = ([top, left], [bottom, right]);
            }
            "VALID" => (),
            "SAME_UPPER" | "SAME_LOWER" => {
                for axis in 0..2 {
                    let outputs = board[axis].div_ceil(strides[axis].max(1));
                    let span = size[axis].saturating_sub(1).saturating_mul(dilations[axis]).saturating_add(1);
                    let needed = (outputs - 1).saturating_mul(strides[axis]).saturating_add(span);
                    let padding = needed.saturating_sub(board[axis]);
                    let (less, more) = (padding / 2, padding.div_ceil(2));
                    let is_upper = auto == "SAME_UPPER";
                    (window.before[axis], window.after[axis]) =
                        if is_upper { (less, more) } else { (more, less) };
                }
            }
            _ => return wrong("auto_pad", "NOTSET, VALID, SAME_UPPER or SAME_LOWER"),
        }
        Ok(window)
    }

    /// The constant in a node that is one.
    pub(super) fn constant(self) -> Result<Constant, NetError> {
        let row = |shape: Vec<usize>, data: Data| Ok(Constant { shape, data });
        let known = ["value", "value_float", "value_floats", "value_int", "value_ints"];
        match known.iter().find_map(|name| self.0.get(*name)) {
            Some(Attribute::Constant(constant)) => Ok(constant.clone()),
            Some(Attribute::Float(number)) => row(Vec::new(), Data::Floats(vec![*number])),
            Some(Attribute::Floats(numbers)) => row(vec![numbers.len()], Data::Floats(numbers.clone())),
            Some(Attribute::Int(number)) => row(Vec::new(), Data::Ints(vec![*number])),
            Some(Attribute::Ints(numbers)) => row(vec![numbers.len()], Data::Ints(numbers.clone())),
            _ => wrong("value", "numbers"),
        }
    }
}
