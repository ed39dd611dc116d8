//! Files of unknown kind: what they are is seen from their bytes, and anything else is refused.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use outplay_core::garbage;
use outplay_net::{Backend, Network, Opened, Outputs, Precision, network_from_bytes, open_network};

use crate::{python, samples};

pub fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn tower(bytes: &[u8]) -> Network {
    match network_from_bytes(bytes, None).unwrap() {
        Opened::Tower(network) => network,
        Opened::Graph(graph) => panic!("{graph:?}"),
    }
}

#[test]
fn a_file_is_opened_by_what_it_holds_packed_or_plain() {
    let network = &samples::networks()[0];
    for bytes in [network.to_bytes(Precision::Single), network.to_onnx()] {
        assert_eq!(&tower(&bytes), network);
        assert_eq!(&tower(&packed(&bytes)), network);
    }
    let path = python::scratch("opening.net");
    std::fs::write(&path, network.to_onnx()).unwrap();
    let summary = open_network(&path, None).unwrap().summary();
    assert_eq!(summary, "small network, 5 channels, 4 blocks, a test");
}

#[test]
fn other_files_are_refused_with_what_was_expected() {
    for bytes in [b"".as_slice(), b"PK\x03\x04", b"\x7fELF", b"{}", b"\x89PNG\r\n", &[0; 4096]] {
        let error = network_from_bytes(bytes, None).unwrap_err().to_string();
        assert!(error.contains("expected a safetensors file"), "{error}");
    }
    let error = network_from_bytes(b"\x1f\x8bnothing", None).unwrap_err().to_string();
    assert!(error.contains("cannot be unpacked"), "{error}");
    let twice = packed(&packed(&samples::networks()[0].to_onnx()));
    assert!(network_from_bytes(&twice, None).is_err());
}

#[test]
fn a_packed_file_cannot_take_more_memory_than_a_network_of_its_size_needs() {
    // Zeros are packed a thousandfold.
    let bomb = packed(&vec![0; 1 << 26]);
    let error = network_from_bytes(&bomb, None).unwrap_err().to_string();
    assert!(error.contains("longer than") && bomb.len() < 1 << 19, "{error}");
}

#[test]
fn no_garbage_makes_any_reader_panic_and_what_is_read_can_be_run() {
    let networks = samples::networks();
    let mut files: Vec<Vec<u8>> = networks.iter().map(Network::to_onnx).collect();
    files.push(packed(&files[1]));
    files.push(networks[2].to_bytes(Precision::Single));
    let files: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
    let (mut towers, mut graphs) = (0, 0);
    garbage::feed(3, &files, 1 << 24, |bytes| match network_from_bytes(bytes, None) {
        Ok(Opened::Tower(network)) => {
            towers += 1;
            assert!(network.description().check().is_ok());
        }
        Ok(Opened::Graph(graph)) => {
            graphs += 1;
            let positions = samples::positions(graph.description().planes(), 1, 4);
            // An answer or an error, as the weights have it.
            drop(graph.begin().run(&[&positions[0]], &mut Outputs::default()));
        }
        Err(_) => (),
    });
    assert!(towers > 0 && graphs > 0, "{towers} towers, {graphs} graphs: too few to mean something");
}
