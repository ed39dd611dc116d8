//! How well searches foretell deeper ones, by phase of the game. Made by `outplay tune probcut othello --positions 1000 --depth 10 --seed 1`.

use outplay_search::Foretelling;

const fn row(depth: i32, slope: f32, offset: f32, deviation: f32) -> Foretelling {
    Foretelling { depth, slope, offset, deviation }
}

pub(super) static FORETOLD: [&[Foretelling]; 4] = [
    &[
        row(3, 0.989, -32.4, 248.8),
        row(4, 0.988, 11.1, 230.1),
        row(5, 0.963, 4.9, 194.3),
        row(6, 0.999, 37.2, 283.2),
        row(7, 0.986, -20.8, 234.2),
        row(8, 1.005, 91.6, 211.0),
        row(9, 1.021, -53.5, 187.9),
        row(10, 1.010, 87.1, 235.4),
    ],
    &[
        row(3, 1.013, -24.4, 370.2),
        row(4, 1.004, 42.5, 342.9),
        row(5, 1.010, -10.5, 302.3),
        row(6, 1.003, 83.5, 436.1),
        row(7, 1.014, -42.4, 324.7),
        row(8, 1.005, 125.7, 289.1),
        row(9, 1.030, -46.1, 281.9),
        row(10, 1.048, 140.5, 345.1),
    ],
    &[
        row(3, 0.994, -119.8, 321.3),
        row(4, 0.984, 2.6, 259.3),
        row(5, 1.005, 24.8, 261.1),
        row(6, 1.000, 8.7, 334.1),
        row(7, 1.007, 19.6, 291.6),
        row(8, 0.999, 79.6, 320.7),
        row(9, 0.987, -30.8, 311.2),
        row(10, 1.003, 83.8, 334.2),
    ],
    &[
        row(3, 1.010, -77.9, 440.4),
        row(4, 1.008, 64.4, 440.8),
        row(5, 1.021, -6.6, 415.5),
        row(6, 1.018, 40.7, 514.7),
        row(7, 1.039, -19.8, 454.2),
        row(8, 1.038, 55.2, 500.5),
        row(9, 1.078, 69.9, 645.9),
        row(10, 1.140, 66.6, 669.8),
    ],
];
