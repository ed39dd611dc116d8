//! Real networks of lc0, where they are at hand.

use outplay_core::Planes;
use outplay_net::{BlockKind, Opened, PolicyKind, ValueKind, open_network};
use outplay_testing::public_data;

use crate::samples;

/// White to move in the position that chess begins with: no history, all castling, the counter at zero.
fn start() -> Vec<u64> {
    let mut words = vec![0; 112];
    let back = [0x42, 0x24, 0x81, 0x08, 0x10];
    words[0] = 0xFF00;
    words[6] = 0xFF00 << 40;
    for (piece, squares) in back.into_iter().enumerate() {
        words[1 + piece] = squares;
        words[7 + piece] = squares << 56;
    }
    for plane in [104, 105, 106, 107, 111] {
        words[plane] = Planes::constant(1.0);
    }
    words
}

#[test]
fn maia_networks_open_and_play_chess_like_people() {
    for rating in [1100, 1500, 1900] {
        let Some(path) = public_data::path(&format!("nets/maia-{rating}.pb.gz")) else { return };
        let Opened::Tower(network) = open_network(&path, None).unwrap() else { panic!("a tower") };
        let description = network.description();
        assert_eq!((description.channels, description.blocks.len()), (64, 6));
        assert!(matches!(description.blocks[0], BlockKind::SqueezeExcitation { hidden: 8 }));
        assert_eq!(description.heads.policy, PolicyKind::Convolution { kernel: 3, channels: 64, planes: 80 });
        assert!(matches!(description.heads.value, ValueKind::WinDrawLoss { channels: 32, hidden: 128 }));
        assert_eq!(description.heads.moves_left, None);
        let outputs = samples::reference(&network, &[start()]);
        // Plane 0 is one step up the board, plane 1 two; from each file of the second rank.
        let moves = |plane: usize| (8..16).map(move |from| plane * 64 + from);
        let best = moves(0).chain(moves(1)).max_by(|&a, &b| outputs.policy[a].total_cmp(&outputs.policy[b]));
        assert!([64 + 11, 64 + 12].contains(&best.unwrap()), "maia-{rating} pawn move {best:?}");
        let [win, draw, loss] = outputs.value[0];
        assert!((win + draw + loss - 1.0).abs() < 1e-5 && (win - loss).abs() < 0.2, "{win} {draw} {loss}");
    }
}
