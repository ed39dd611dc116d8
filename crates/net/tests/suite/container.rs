//! Our own files: what is written is read, and what is damaged is refused with the reason.

use outplay_core::{Rng, garbage};
use outplay_net::{
    Description, NetError, Network, PolicyKind, Precision, f16_to_f32, f32_to_f16, open_network,
};

use crate::{python, samples};

#[test]
fn every_kind_of_network_survives_the_way_there_and_back_in_both_precisions() {
    for network in samples::networks() {
        let single = Network::from_bytes(&network.to_bytes(Precision::Single)).unwrap();
        assert_eq!(single, network);
        let half = Network::from_bytes(&network.to_bytes(Precision::Half)).unwrap();
        let (description, layers) = network.into_parts();
        let rounded = layers.try_map(|mut tensor| {
            tensor.values.iter_mut().for_each(|value| *value = f16_to_f32(f32_to_f16(*value)));
            Ok::<_, NetError>(tensor)
        });
        assert_eq!(half, Network::new(description, rounded.unwrap()).unwrap());
    }
}

#[test]
fn a_file_on_disk_is_opened_and_errors_name_it() {
    let network = &samples::networks()[1];
    let path = python::scratch("container.safetensors");
    std::fs::write(&path, network.to_bytes(Precision::Single)).unwrap();
    assert_eq!(Network::open(&path).as_ref(), Ok(network));
    std::fs::write(&path, b"nothing").unwrap();
    for error in [Network::open(&path).unwrap_err(), open_network(&path, None).unwrap_err()] {
        assert!(error.to_string().contains("container.safetensors"), "{error}");
    }
    let error = Network::open(&path.join("nowhere")).unwrap_err();
    assert!(matches!(&error, NetError::File(text) if text.contains("nowhere")), "{error}");
}

/// The header of a file, and what follows.
fn parts(file: &[u8]) -> (String, &[u8]) {
    let length = u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
    (String::from_utf8(file[8..8 + length].to_vec()).unwrap(), &file[8 + length..])
}

fn file(header: &str, data: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
}

#[test]
fn each_fault_is_named() {
    let good = samples::networks()[1].to_bytes(Precision::Single);
    let (header, data) = parts(&good);
    assert!(Network::from_bytes(&file(&header, data)).is_ok());
    let refused = |bytes: &[u8], reason: &str| {
        let error = Network::from_bytes(bytes).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}, expected {reason}");
    };
    let changed = |from: &str, to: &str, reason: &str| {
        assert!(header.contains(from), "{from} in {header}");
        refused(&file(&header.replacen(from, to, 1), data), reason);
    };
    refused(b"", "too short");
    refused(&[0xFF; 100], "header is too long");
    refused(&file("{", b""), "its header: EOF");
    refused(&file("{}", b""), "no description under __metadata__.outplay");
    refused(
        &file(r#"{"weight":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#, &[0; 4]),
        "no description under __metadata__.outplay",
    );
    changed(r#"\"game\""#, r#"\"play\""#, "unknown field `play`");
    changed(r#"\"channels\":5"#, r#"\"channels\":0"#, "channels is 0, expected 1 to 16384");
    changed(
        r#"\"channels\":5"#,
        r#"\"channels\":6"#,
        "stem.weight has the shape [5, 2, 3, 3], expected [6, 2, 3, 3]",
    );
    changed(r#"\"kind\":\"plain\""#, r#"\"kind\":\"magic\""#, "unknown variant `magic`");
    changed(r#"stem.bias"#, r#"stem.bass"#, "stem.bias is missing");
    changed(
        r#"\"kind\":\"plain\"},"#,
        r#"\"kind\":\"global_pooling\",\"channels\":1},"#,
        "blocks.0.pool.weight is missing",
    );
    changed(
        r#","value.conv"#,
        r#","more":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},"value.conv"#,
        "more has no place",
    );
    changed(r#""dtype":"F32""#, r#""dtype":"I32""#, "of I32, expected");
    let place = r#""stem.bias":{"dtype":"F32","shape":[5],"data_offsets":["#;
    let from: usize = header.split_once(place).unwrap().1.split(',').next().unwrap().parse().unwrap();
    let (before, after) = (format!("{place}{from},{}]", from + 20), format!("{place}{from},{}]", from + 16));
    changed(&before, &after, "expected some that begin at");
    changed(&before, &format!("{place}0,20]"), "expected some that begin at");
    changed(&before, &format!("{place}{},{}]", usize::MAX, 3), "expected some that begin at");
    refused(&file(&header, &[data, &[0; 4]].concat()), "4 bytes after the last tensor");
    refused(&file(&header, &data[..data.len() - 1]), "is cut off");
    let mut wrong = data.to_vec();
    wrong[from..from + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    refused(&file(&header, &wrong), "stem.bias has NaN at place 0");
}

#[test]
fn a_description_that_asks_for_too_much_is_refused_before_memory_is_taken() {
    let base = samples::descriptions().remove(1);
    let with = |change: &dyn Fn(&mut Description)| {
        let mut description = base.clone();
        change(&mut description);
        let text = serde_json::to_string(&serde_json::to_string(&description).unwrap()).unwrap();
        Network::from_bytes(&file(&format!(r#"{{"__metadata__":{{"outplay":{text}}}}}"#), b""))
            .unwrap_err()
            .to_string()
    };
    let huge = usize::MAX / 2;
    assert!(with(&|d| d.channels = huge).contains("channels is"));
    assert!(with(&|d| d.board.rows = huge).contains("board.rows is"));
    assert!(with(&|d| d.input.constant_planes = huge).contains("constant_planes is"));
    let policy = |planes| PolicyKind::Convolution { kernel: 3, channels: 1, planes };
    assert!(with(&|d| d.heads.policy = policy(huge)).contains("planes of a policy"));
    assert!(with(&|d| d.heads.reply = Some(policy(10_000))).contains("size of a policy"));
    assert!(
        with(&|d| (d.channels, d.heads.ownership) = (1 << 14, Some(1 << 14))).contains("weights, expected")
    );
    // Many tensors that share the same bytes would make much of little.
    assert!(with(&|d| d.blocks = vec![d.blocks[0]; 256]).contains("stem.weight is missing"));
}

#[test]
fn a_file_that_ends_too_early_is_refused_wherever_it_ends() {
    for network in samples::networks() {
        let file = network.to_bytes(Precision::Half);
        let header = file.len() - 2 * network.description().parameters();
        for end in (0..header + 64).chain((header..file.len()).step_by(7)) {
            assert!(Network::from_bytes(&file[..end]).is_err(), "{end}");
        }
    }
}

#[test]
fn no_garbage_makes_the_reader_panic_and_what_is_read_fits_its_description() {
    let files: Vec<Vec<u8>> =
        samples::networks()[1..].iter().map(|network| network.to_bytes(Precision::Half)).collect();
    let files: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
    let check = |bytes: &[u8]| {
        if let Ok(network) = Network::from_bytes(bytes) {
            let (description, layers) = network.into_parts();
            assert!(2 * description.parameters() <= bytes.len());
            assert!(Network::new(description, layers).is_ok());
        }
    };
    garbage::feed(1, &files, 1 << 23, check);
    // Damage that the length of the header survives goes deeper.
    let mut rng = Rng::new(2);
    for _ in 0..20_000 {
        let mut bytes = files[rng.below(files.len())].to_vec();
        for _ in 0..=rng.below(3) {
            let place = 8 + rng.below(bytes.len() - 8);
            bytes[place] =
                if rng.below(2) == 0 { rng.next_u64() as u8 } else { b"0123456789{}[],:\"\\"[rng.below(18)] };
        }
        check(&bytes);
    }
}

#[test]
fn python_reads_the_weights_and_the_description() {
    const SCRIPT: &str = "
import json, sys, numpy
try:
    from safetensors import safe_open
    with safe_open(sys.argv[1], 'numpy') as file:
        description = file.metadata()['outplay']
        tensors = {name: file.get_tensor(name) for name in file.keys()}
except ImportError:
    data = open(sys.argv[1], 'rb').read()
    size = int.from_bytes(data[:8], 'little')
    header = json.loads(data[8:8 + size])
    description = header.pop('__metadata__')['outplay']
    kinds = {'F32': '<f4', 'F16': '<f2'}
    tensors = {}
    for name, entry in header.items():
        begin, end = entry['data_offsets']
        raw = data[8 + size + begin:8 + size + end]
        tensors[name] = numpy.frombuffer(raw, kinds[entry['dtype']]).reshape(entry['shape'])
answer = {name: [list(tensor.shape), float(tensor.astype('f8').sum())] for name, tensor in tensors.items()}
print(json.dumps([json.loads(description), answer]))
";
    for (network, precision) in
        samples::networks().iter().zip([Precision::Single, Precision::Half, Precision::Single])
    {
        let path = python::scratch("for_python.safetensors");
        std::fs::write(&path, network.to_bytes(precision)).unwrap();
        let Some(mut python) = python::with_modules(&["numpy"]) else { return };
        let answer = python::output(python.args(["-c", SCRIPT]).arg(&path));
        type Sums = std::collections::BTreeMap<String, (Vec<usize>, f64)>;
        let (description, sums): (Description, Sums) = serde_json::from_str(&answer).unwrap();
        assert_eq!(&description, network.description());
        let (specs, read) = (description.layers(), Network::open(&path).unwrap());
        assert_eq!(sums.len(), specs.tensors().len());
        for (spec, tensor) in specs.tensors().into_iter().zip(read.layers().tensors()) {
            let (shape, sum) = &sums[&spec.name];
            assert_eq!(shape, &spec.shape);
            let ours: f64 = tensor.values.iter().map(|&value| f64::from(value)).sum();
            assert!((sum - ours).abs() < 1e-9, "{}: {sum}, {ours}", spec.name);
        }
    }
}
