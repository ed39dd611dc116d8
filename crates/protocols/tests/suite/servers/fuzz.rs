//! Anything, in any order, at any time.

use std::time::{Duration, Instant};

use outplay_core::{Rng, garbage};

use super::Server;
use crate::talk::PATIENCE;

/// Lines that make sense, by protocol, with little time for each search.
fn sample(server: Server) -> &'static str {
    match server {
        Server::Connect6 => {
            "movetime 2\nnew black\nmove KKLL\nprint\nblack AA\nwhite BBCC\nnext\nnew white\nmove JJ\ndepth 1\ntime 1 0\nvcf\nunvcf\nhelp\nname\n"
        }
        Server::Gtp(_) => {
            "time_settings 0 0.002 1\nboardsize 19\nclear_board\n1 play b K10\ngenmove w\ngenmove b\nundo\nshowboard\ntime_left b 0.01 1\nfinal_score\nreg_genmove w\nlist_commands\n"
        }
        Server::Gomocup => {
            "INFO timeout_turn 2\nSTART 15\nBEGIN\nTURN 3,3\nBOARD\n7,7,2\nDONE\nYXBOARD\n7,7,1\n8,8,2\nDONE\nYXNBEST 2\nYXSHOWINFO\nTAKEBACK 8,8\nRECTSTART 9,8\nSWAP2BOARD\nDONE\nINFO rule 1\nINFO max_memory 1000000\nYXSTOP\nRESTART\nABOUT\n"
        }
        Server::NBoard => {
            "set depth 1\nnboard 2\nset game (;GM[Othello]TI[0:01]BO[8 ---------------------------O*------*O--------------------------- *]B[F5//0.9]W[D6];)\nmove C3/1.5/0.1\nping 3\nhint 2\ngo\nset contempt 3\nmove PA\nlearn\nping 4\nset myname x\n"
        }
        Server::Console => {
            "level 1\ninit\nplay f5d6c3\nhint 3\ngo\nundo\nredo\nmode 0\nf4\nmode 3\nsetboard OX-------------------------------------------------------------- X\nnew\nmoves\neval\nshow\nanalyze 2\nstop\nsolve nowhere.obf\nversion\nhelp\noption probcut true\n"
        }
    }
}

/// A question that is always answered, and its answer's beginning.
fn sign_of_life(server: Server) -> (&'static str, &'static str) {
    match server {
        Server::Connect6 => ("name", "name Outplay"),
        Server::Gtp(_) => ("99 name", "=99 Outplay"),
        // A list may have begun; this ends it.
        Server::Gomocup => ("DONE\nABOUT", "name=\"Outplay\""),
        Server::NBoard => ("ping 99", "pong 99"),
        Server::Console => ("version", "Outplay "),
    }
}

const SERVERS: [Server; 6] = [
    Server::Connect6,
    Server::Gtp("connect6"),
    Server::Gtp("othello"),
    Server::Gomocup,
    Server::NBoard,
    Server::Console,
];

/// What changes how long searches take is left out, because mutilated times are long ones.
fn is_harmless(line: &str) -> bool {
    let line = line.to_lowercase();
    let ends = ["quit", "exit", "end"].iter().any(|word| line.split_whitespace().any(|found| found == *word));
    let is_time =
        ["time", "depth", "memory", "level", "option", "save"].iter().any(|word| line.contains(word));
    !ends && !is_time
}

#[test]
fn a_server_lives_whatever_it_is_sent() {
    for server in SERVERS {
        let talk = server.start();
        let sample = sample(server);
        let (first, _) = sample.split_once('\n').expect("several lines");
        let (question, answer) = sign_of_life(server);
        garbage::feed_text(11, &[sample], 30_000, |text| {
            // What mutilated lines have said of time is said again.
            talk.send(first);
            text.lines().filter(|line| is_harmless(line)).for_each(|line| talk.send(line));
            talk.send(question);
            talk.until(|line| line.starts_with(answer));
        });
        assert!(talk.end().1.is_ok(), "{server:?}");
    }
}

#[test]
fn the_end_may_come_at_any_time() {
    for (number, server) in SERVERS.into_iter().enumerate() {
        for seed in 0..8 {
            let mut rng = Rng::new(100 * number as u64 + seed);
            let lines: Vec<&str> = sample(server).lines().collect();
            let talk = server.start();
            for _ in 0..rng.below(40) {
                talk.send(lines[rng.below(lines.len())]);
            }
            talk.heard_within(Duration::from_millis(rng.below(10) as u64));
            let begun = Instant::now();
            assert!(talk.end().1.is_ok());
            assert!(begun.elapsed() < PATIENCE / 4, "{server:?}, seed {seed}: {:?}", begun.elapsed());
        }
    }
}
