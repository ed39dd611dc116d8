#![allow(missing_docs)]
use outplay_gpu::Program;
use outplay_net::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (n, c, r, k, se): (usize, usize, usize, usize, usize) = (a[1].parse().unwrap(), a[2].parse().unwrap(), a[3].parse().unwrap(), a[4].parse().unwrap(), a[5].parse().unwrap());
    let cells = r * k;
    let d = Description {
        game: "x".into(), board: BoardSize { rows: r, columns: k },
        input: Input { encoder: "x".into(), bit_planes: 2, constant_planes: 1 },
        channels: c,
        blocks: vec![if se > 0 { BlockKind::SqueezeExcitation { hidden: se } } else { BlockKind::Plain {} }; n],
        heads: Heads { policy: PolicyKind::Dense { channels: 8, outputs: cells + 1 }, value: ValueKind::WinDrawLoss { channels: 8, hidden: 64 }, ..Heads::default() },
        made_by: None,
    };
    let p = Program::new(&Network::random(d, 1).unwrap(), (9, 0));
    for l in &p.launches { eprintln!("{l:?}"); }
    eprintln!("{:?} {} chunks bytes", p.architecture, p.weights.len());
    print!("{}", p.source);
}
