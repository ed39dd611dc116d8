//! An ONNX file as it stands: nodes, constants, names of inputs and outputs. Nothing is understood yet.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::half::f16_to_f32;
use crate::network::NetError;
use crate::protobuf::{Value, fields};

/// What a file holds.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) producer: String,
    /// The version of the standard operators.
    pub(super) opset: u64,
    pub(super) metadata: BTreeMap<String, String>,
    pub(super) nodes: Vec<Node>,
    pub(super) constants: BTreeMap<String, Rc<Constant>>,
    /// Inputs that are no constants.
    pub(super) inputs: Vec<Port>,
    pub(super) outputs: Vec<String>,
}

/// An input.
#[derive(Debug, Default)]
pub(super) struct Port {
    pub(super) name: String,
    /// `None` where a dimension may be anything.
    pub(super) shape: Vec<Option<usize>>,
}

/// An operation.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) domain: String,
    pub(super) inputs: Vec<String>,
    pub(super) outputs: Vec<String>,
    pub(super) attributes: BTreeMap<String, Attribute>,
}

/// A setting of an operation.
#[derive(Clone, Debug)]
pub(super) enum Attribute {
    Float(f32),
    Int(i64),
    Text(String),
    Ints(Vec<i64>),
    Floats(Vec<f32>),
    Constant(Constant),
    /// Something that none of our operations has.
    Other,
}

/// Numbers that are known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Constant {
    pub(super) shape: Vec<usize>,
    pub(super) data: Data,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Data {
    Floats(Vec<f32>),
    Ints(Vec<i64>),
}

/// Before it, some operators had other settings.
const OLDEST_OPSET: u64 = 9;
/// Types of numbers, as ONNX counts them.
const FLOAT: u64 = 1;
const INT32: u64 = 6;
const INT64: u64 = 7;
const FLOAT16: u64 = 10;
const DOUBLE: u64 = 11;
const BFLOAT16: u64 = 16;

impl Model {
    pub(super) fn read(bytes: &[u8]) -> Result<Model, NetError> {
        let mut model = Model::default();
        let mut has_graph = false;
        for field in fields(bytes) {
            let (number, value) = field?;
            match number {
                2 => model.producer = value.text()?,
                7 => {
                    has_graph = true;
                    model.read_graph(value.bytes()?)?;
                }
                8 => {
                    let (mut domain, mut version) = (String::new(), 0);
                    for field in fields(value.bytes()?) {
                        match field? {
                            (1, value) => domain = value.text()?,
                            (2, value) => version = value.number()?,
                            _ => (),
                        }
                    }
                    if domain.is_empty() || domain == "ai.onnx" {
                        model.opset = version;
                    }
                }
                14 => {
                    let (mut key, mut text) = (String::new(), String::new());
                    for field in fields(value.bytes()?) {
                        match field? {
                            (1, value) => key = value.text()?,
                            (2, value) => text = value.text()?,
                            _ => (),
                        }
                    }
                    model.metadata.insert(key, text);
                }
                _ => (),
            }
        }
        if !has_graph || model.nodes.is_empty() || model.outputs.is_empty() {
            return Err(NetError::Format("it has no graph; expected an ONNX model".to_string()));
        }
        if model.opset < OLDEST_OPSET {
            return Err(NetError::Unsupported(format!(
                "it has version {} of the standard operators, expected {OLDEST_OPSET} or later",
                model.opset
            )));
        }
        model.inputs.retain(|port| !model.constants.contains_key(&port.name));
        Ok(model)
    }

    fn read_graph(&mut self, bytes: &[u8]) -> Result<(), NetError> {
        for field in fields(bytes) {
            let (number, value) = field?;
            match number {
                1 => self.nodes.push(Node::read(value.bytes()?)?),
                5 => {
                    let (name, constant) = Constant::read(value.bytes()?)?;
                    self.constants.insert(name, Rc::new(constant));
                }
                11 => self.inputs.push(Port::read(value.bytes()?)?),
                12 => self.outputs.push(Port::read(value.bytes()?)?.name),
                15 => {
                    return Err(NetError::Unsupported(
                        "it has sparse weights; expected dense ones".to_string(),
                    ));
                }
                _ => (),
            }
        }
        Ok(())
    }
}

impl Port {
    fn read(bytes: &[u8]) -> Result<Port, NetError> {
        let mut port = Port::default();
        for field in fields(bytes) {
            match field? {
                (1, value) => port.name = value.text()?,
                (2, value) => port.shape = read_shape(value.bytes()?)?,
                _ => (),
            }
        }
        Ok(port)
    }
}

/// The shape in the type of an input: type, tensor, shape, dimensions.
fn read_shape(bytes: &[u8]) -> Result<Vec<Option<usize>>, NetError> {
    let mut dimensions = Vec::new();
    for tensor in only(bytes, 1) {
        for shape in only(tensor?, 2) {
            for dimension in only(shape?, 1) {
                let mut size = None;
                for field in fields(dimension?) {
                    if let (1, value) = field? {
                        size = usize::try_from(value.signed()?).ok().filter(|&size| size > 0);
                    }
                }
                dimensions.push(size);
            }
        }
    }
    Ok(dimensions)
}

/// The messages in one field.
fn only(bytes: &[u8], wanted: u32) -> impl Iterator<Item = Result<&[u8], NetError>> {
    fields(bytes).filter_map(move |field| match field {
        Ok((number, value)) => (number == wanted).then(|| value.bytes()),
        Err(error) => Some(Err(error)),
    })
}

impl Node {
    fn read(bytes: &[u8]) -> Result<Node, NetError> {
        let mut node = Node::default();
        for field in fields(bytes) {
            match field? {
                (1, value) => node.inputs.push(value.text()?),
                (2, value) => node.outputs.push(value.text()?),
                (3, value) => node.name = value.text()?,
                (4, value) => node.kind = value.text()?,
                (5, value) => {
                    let (name, attribute) = Attribute::read(value.bytes()?)?;
                    node.attributes.insert(name, attribute);
                }
                (7, value) => node.domain = value.text()?,
                _ => (),
            }
        }
        Ok(node)
    }
}

impl Attribute {
    fn read(bytes: &[u8]) -> Result<(String, Attribute), NetError> {
        let (mut name, mut attribute) = (String::new(), None);
        let (mut ints, mut floats, mut kind) = (Vec::new(), Vec::new(), 0);
        for field in fields(bytes) {
            let (number, value) = field?;
            match number {
                1 => name = value.text()?,
                2 => attribute = Some(Attribute::Float(value.float()?)),
                3 => attribute = Some(Attribute::Int(value.signed()?)),
                4 => attribute = Some(Attribute::Text(value.text()?)),
                5 => attribute = Some(Attribute::Constant(Constant::read(value.bytes()?)?.1)),
                7 => value.push_floats(&mut floats)?,
                8 => value.push_numbers(&mut ints)?,
                20 => kind = value.number()?,
                _ => (),
            }
        }
        // Writers may leave out what is zero or empty; the type says what it was.
        let attribute = match (attribute, kind) {
            (Some(attribute), _) => attribute,
            (None, 1) => Attribute::Float(0.0),
            (None, 2) => Attribute::Int(0),
            (None, 6) => Attribute::Floats(floats),
            (None, 7) => Attribute::Ints(ints),
            (None, 0) if !ints.is_empty() => Attribute::Ints(ints),
            (None, 0) if !floats.is_empty() => Attribute::Floats(floats),
            (None, _) => Attribute::Other,
        };
        Ok((name, attribute))
    }
}

impl Constant {
    fn read(bytes: &[u8]) -> Result<(String, Constant), NetError> {
        let (mut name, mut dims, mut kind) = (String::new(), Vec::new(), 0);
        let (mut floats, mut narrow, mut wide, mut doubles) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut raw: &[u8] = &[];
        for field in fields(bytes) {
            let (number, value) = field?;
            match number {
                1 => value.push_numbers(&mut dims)?,
                2 => kind = value.number()?,
                4 => value.push_floats(&mut floats)?,
                5 => value.push_numbers(&mut narrow)?,
                7 => value.push_numbers(&mut wide)?,
                8 => name = value.text()?,
                9 => raw = value.bytes()?,
                10 => doubles.extend(doubles_of(value)?),
                13 | 14 if value != Value::Varint(0) => {
                    return Err(NetError::Unsupported(format!(
                        "the weights of {name:?} are in another file; expected them in this one"
                    )));
                }
                _ => (),
            }
        }
        let shape: Option<Vec<usize>> = dims.iter().map(|&size| usize::try_from(size).ok()).collect();
        let count = shape
            .as_ref()
            .and_then(|shape| shape.iter().try_fold(1usize, |all, &size| all.checked_mul(size)));
        let data = match kind {
            FLOAT => Some(Data::Floats(or_raw(floats, raw, f32::from_le_bytes))),
            DOUBLE => Some(Data::Floats(or_raw(doubles, raw, |eight| f64::from_le_bytes(eight) as f32))),
            FLOAT16 => Some(Data::Floats(or_raw(
                narrow.iter().map(|&bits| f16_to_f32(bits as u16)).collect(),
                raw,
                |two| f16_to_f32(u16::from_le_bytes(two)),
            ))),
            BFLOAT16 => {
                let single = |bits: u16| f32::from_bits(u32::from(bits) << 16);
                Some(Data::Floats(or_raw(
                    narrow.iter().map(|&bits| single(bits as u16)).collect(),
                    raw,
                    |two| single(u16::from_le_bytes(two)),
                )))
            }
            INT64 => Some(Data::Ints(or_raw(wide, raw, i64::from_le_bytes))),
            INT32 => Some(Data::Ints(or_raw(narrow, raw, |four| i64::from(i32::from_le_bytes(four))))),
            _ => None,
        };
        let Some(data) = data else {
            return Err(NetError::Unsupported(format!(
                "the constant {name:?} has numbers of type {kind}; expected float, float16, bfloat16, double, int32 or int64"
            )));
        };
        let given = match &data {
            Data::Floats(numbers) => numbers.len(),
            Data::Ints(numbers) => numbers.len(),
        };
        match (shape, count) {
            (Some(shape), Some(count)) if count == given => Ok((name, Constant { shape, data })),
            _ => Err(NetError::Format(format!(
                "the constant {name:?} has {given} numbers for the shape {dims:?}"
            ))),
        }
    }

    /// The numbers of a constant that must not be whole.
    pub(super) fn floats(&self) -> Option<&[f32]> {
        match &self.data {
            Data::Floats(numbers) => Some(numbers),
            Data::Ints(_) => None,
        }
    }

    /// The numbers of a constant that must be whole.
    pub(super) fn ints(&self) -> Option<&[i64]> {
        match &self.data {
            Data::Ints(numbers) => Some(numbers),
            Data::Floats(_) => None,
        }
    }
}

/// Numbers that stand in a field of their type, or else in raw bytes. Bytes that end in the middle of a number are none, so that their count is wrong.
fn or_raw<T, const N: usize>(typed: Vec<T>, raw: &[u8], read: impl Fn([u8; N]) -> T) -> Vec<T> {
    match raw.as_chunks::<N>() {
        ([], []) => typed,
        (whole, []) => whole.iter().map(|&bytes| read(bytes)).collect(),
        _ => Vec::new(),
    }
}

fn doubles_of(value: Value<'_>) -> Result<Vec<f32>, NetError> {
    match value {
        Value::Fixed64(bits) => Ok(vec![f64::from_bits(bits) as f32]),
        other => Ok(other
            .bytes()?
            .as_chunks::<8>()
            .0
            .iter()
            .map(|&eight| f64::from_le_bytes(eight) as f32)
            .collect()),
    }
}
