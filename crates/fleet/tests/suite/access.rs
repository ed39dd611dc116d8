//! A real server: the contract, and who is let in.

use std::path::Path;
use std::time::Duration;

use outplay_fleet::{Access, Depth, Expected, Fleet, FleetError, Line, Name, Nats, Space};
use outplay_testing::nats_server::NatsServer;

fn name(text: &str) -> Name {
    text.parse().expect("a name")
}

fn refusal(access: &Access) -> String {
    match Nats::join(access, name("stranger")) {
        Ok(_) => panic!("{access:?} is let in"),
        Err(FleetError::Refused(words)) => words,
        Err(other) => panic!("worth no other try: {other}"),
    }
}

#[test]
fn the_home_on_a_server_keeps_the_contract() {
    let Some(server) = NatsServer::start("contract") else { return };
    let access = Access::open(&server.address());
    crate::contract::check(&|who| Box::new(Nats::open(&access, name(who)).expect("a server")));
}

#[test]
fn what_was_published_outlives_a_killed_server() {
    let Some(mut server) = NatsServer::start("killed") else { return };
    let nats = Nats::open(&Access::open(&server.address()), name("boss")).expect("a server");
    let (run, jobs) = (name("run"), Line::Jobs(name("run")));
    nats.open_run(&run, Duration::from_secs(1)).expect("a server");
    let messages: Vec<_> = (0..50).map(|number| (name(&format!("m{number}")), vec![7; 100])).collect();
    nats.publish(&jobs, &messages).expect("room");
    let leased = nats.lease(&jobs, 20, Duration::ZERO).expect("messages");
    assert_eq!(leased.len(), 20);
    let digest = nats.put_blob(&[3; 700_000]).expect("room");
    server.kill();
    let error = nats.publish(&jobs, &messages[..1]).expect_err("nobody is there");
    assert!(matches!(error, FleetError::Unavailable(_)), "{error:?}");
    server.start_again();
    // The connection comes back by itself.
    let begun = std::time::Instant::now();
    while nats.publish(&jobs, &messages[..1]).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not come back");
    }
    let mut ids = std::collections::BTreeSet::new();
    while ids.len() < 50 {
        for lease in nats.lease(&jobs, 50, Duration::from_secs(3)).expect("messages") {
            ids.insert(lease.id.clone());
            nats.acknowledge(&lease).expect("a server");
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "only {} of 50 messages", ids.len());
    }
    assert_eq!(nats.blob(&digest).expect("a blob").map(|blob| blob.len()), Some(700_000));
}

#[test]
fn a_wrong_token_is_refused_in_words() {
    let configuration = |_: &Path| "authorization { token: \"secret\" }\n".to_string();
    let Some(server) = NatsServer::start_with("token", &configuration) else { return };
    let file = |content: &str| {
        let path = server.folder().join(format!("token-{}", content.len()));
        std::fs::write(&path, content).expect("a file");
        Some(path)
    };
    let access = |token| Access { token, ..Access::open(&server.address()) };
    assert!(Nats::open(&access(file("secret\n")), name("friend")).is_ok());
    assert!(refusal(&access(file("wrong"))).contains("it does not know the token in"));
    assert!(refusal(&access(None)).contains("--token-file or --nkey-file"));
    assert!(refusal(&access(file(" "))).contains("is empty"));
    assert!(refusal(&access(Some("/no/such/file".into()))).contains("cannot read /no/such/file"));
    let nobody = Nats::join(&Access::open("nats://127.0.0.1:1"), name("x")).err().expect("nobody");
    assert!(matches!(nobody, FleetError::Unavailable(_)), "{nobody:?}");
}

#[test]
fn a_server_without_jetstream_or_room_is_told_what_it_lacks() {
    let configuration = |_: &Path| "jetstream { max_file_store: 300K }\nmax_payload: 100K\n".to_string();
    let Some(server) = NatsServer::start_with("room", &configuration) else { return };
    let nats = Nats::open(&Access::open(&server.address()), name("boss")).expect("a server");
    let jobs = Line::Jobs(name("run"));
    nats.open_run(&name("run"), Duration::from_secs(5)).expect("room");
    let fill = |number: usize| nats.publish(&jobs, &[(name(&number.to_string()), vec![1; 50_000])]);
    let full =
        (0..20).find_map(|number| fill(number).err()).expect("no room for a megabyte in 300 kilobytes");
    assert!(full.to_string().contains("no room left"), "{full}");
    assert!(matches!(full, FleetError::Unavailable(_)), "room may come: {full:?}");
    let long = nats.publish(&jobs, &[(name("long"), vec![1; 200_000])]).expect_err("too long");
    assert!(matches!(long, FleetError::TooLong { bytes: 200_000, most: 100_000 }), "{long:?}");
    // When there is room again, all is well.
    for lease in nats.lease(&jobs, 20, Duration::ZERO).expect("messages") {
        nats.acknowledge(&lease).expect("a server");
    }
    let begun = std::time::Instant::now();
    while fill(30).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn strange_subjects_are_thrown_away_and_the_others_come_through() {
    let Some(server) = NatsServer::start("strange") else { return };
    let nats = Nats::open(&Access::open(&server.address()), name("boss")).expect("a server");
    let (run, answers) = (name("run"), Line::Answers(name("run")));
    nats.open_run(&run, Duration::from_secs(1)).expect("a server");
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let strange = |subjects: &[&'static str]| {
        runtime.block_on(async {
            let client = async_nats::connect(server.address()).await.expect("a server");
            for subject in subjects {
                client.publish(*subject, "x".into()).await.expect("a server");
            }
            client.flush().await.expect("a server");
        });
    };
    let good = |id: &str| nats.publish(&answers, &[(name(id), vec![3])]).expect("a server");
    good("1");
    strange(&["outplay.answers.run.ann.a.b", "outplay.answers.run.ann.x$y", "outplay.answers.run.ann"]);
    good("2");
    let leased = nats.lease(&answers, 10, Duration::ZERO).expect("a server");
    assert_eq!(leased.iter().map(|lease| lease.id.as_str()).collect::<Vec<_>>(), ["1", "2"]);
    leased.iter().for_each(|lease| nats.acknowledge(lease).expect("a server"));
    // One at a time, too.
    strange(&["outplay.answers.run.ann.c.d"]);
    assert!(nats.lease(&answers, 1, Duration::from_secs(5)).expect("a server").is_empty());
    // Nothing comes back when its lease has run out.
    std::thread::sleep(Duration::from_millis(1500));
    assert!(nats.lease(&answers, 10, Duration::ZERO).expect("a server").is_empty());
    assert_eq!(nats.depth(&answers), Ok(Depth::default()));
}

/// What docs/fleet.md says of a server: who may do what.
const CONFIGURATION: &str = include_str!("../../../../docs/fleet-server.conf");

#[test]
fn a_worker_may_only_lease_and_deliver_under_its_own_name() {
    let [boss, ann, stranger] = [(); 3].map(|()| nkeys::KeyPair::new_user());
    let configuration = |_: &Path| {
        let keys = CONFIGURATION.replace("COORDINATOR }", &format!("{} }}", boss.public_key()));
        keys.replace("WORKER\n", &format!("{}\n", ann.public_key())).replace("NAME", "ann")
    };
    let Some(server) = NatsServer::start_with("permissions", &configuration) else { return };
    let access = |who: &str, key: &nkeys::KeyPair| {
        let path = server.folder().join(format!("{who}.nk"));
        std::fs::write(&path, key.seed().expect("a seed")).expect("a file");
        Access { nkey: Some(path), ..Access::open(&server.address()) }
    };
    assert!(refusal(&access("stranger", &stranger)).contains("it does not know the key in"));
    assert!(refusal(&Access::open(&server.address())).contains("refuses us"));
    let coordinator = Nats::open(&access("boss", &boss), name("boss")).expect("a server");
    let worker = Nats::join(&access("ann", &ann), name("ann")).expect("a server");
    let (run, jobs) = (name("run"), Line::Jobs(name("run")));
    coordinator.open_run(&run, Duration::from_secs(30)).expect("a server");
    coordinator.set_pointer(Space::Runs, &run, b"card", Expected::Nothing).expect("a server");
    coordinator.publish(&jobs, &[(name("1"), vec![1]), (name("2"), vec![2])]).expect("a server");

    // What a worker does.
    assert_eq!(worker.pointers(Space::Runs).expect("allowed").len(), 1);
    assert_eq!(worker.pointer(Space::Orders, &name("ann")), Ok(None));
    let leased = worker.lease(&jobs, 2, Duration::from_secs(1)).expect("allowed");
    assert_eq!(leased.len(), 2);
    worker.keep_alive(&leased[0]).expect("allowed");
    worker.publish(&Line::Answers(run.clone()), &[(name("1"), vec![3])]).expect("allowed");
    worker.acknowledge(&leased[0]).expect("allowed");
    worker.give_back(&leased[1], Duration::ZERO).expect("allowed");
    worker.set_pointer(Space::Workers, &name("ann"), b"card", Expected::Anything).expect("allowed");
    worker.remove_pointer(Space::Workers, &name("ann")).expect("allowed");

    // What it cannot do, all at once because each is found out by waiting.
    let bob = Nats::join(&access("ann", &ann), name("bob"));
    std::thread::scope(|scope| {
        type Attempt<'a> = Box<dyn Fn() -> Result<(), FleetError> + Send + Sync + 'a>;
        let denied: [(&str, Attempt); 6] = [
            ("jobs", Box::new(|| worker.publish(&Line::Jobs(name("run")), &[(name("3"), vec![1])]))),
            (
                "runs",
                Box::new(|| worker.set_pointer(Space::Runs, &name("run"), b"", Expected::Anything).map(drop)),
            ),
            (
                "orders",
                Box::new(|| {
                    worker.set_pointer(Space::Orders, &name("bob"), b"", Expected::Anything).map(drop)
                }),
            ),
            (
                "others",
                Box::new(|| {
                    worker.set_pointer(Space::Workers, &name("bob"), b"", Expected::Anything).map(drop)
                }),
            ),
            ("answers", Box::new(|| worker.lease(&Line::Answers(name("run")), 1, Duration::ZERO).map(drop))),
            (
                "names",
                Box::new(|| match &bob {
                    Ok(bob) => bob.publish(&Line::Answers(name("run")), &[(name("2"), vec![3])]),
                    Err(error) => Err(error.clone()),
                }),
            ),
        ];
        let attempts = denied.map(|(what, attempt)| (what, scope.spawn(attempt)));
        for (what, attempt) in attempts {
            let error = attempt.join().expect("no panic").expect_err(what).to_string();
            assert!(error.to_lowercase().contains("permissions violation"), "{what}: {error}");
        }
    });
    let answers = coordinator.lease(&Line::Answers(run), 5, Duration::ZERO).expect("a server");
    assert_eq!(
        answers.iter().map(|lease| (lease.from.as_str(), lease.id.as_str())).collect::<Vec<_>>(),
        [("ann", "1")]
    );
}

#[test]
fn certificates_are_held_against_those_that_are_trusted() {
    let certificates = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/certificates");
    let shown = certificates.display().to_string();
    let configuration =
        |_: &Path| format!("tls {{ cert_file: \"{shown}/server.pem\", key_file: \"{shown}/server.key\" }}\n");
    let Some(server) = NatsServer::start_with("tls", &configuration) else { return };
    let access = |ca: &str| Access { ca: Some(certificates.join(ca)), ..Access::open(&server.address()) };
    assert!(Nats::open(&access("ca.pem"), name("friend")).is_ok());
    let unknown = refusal(&access("other.pem"));
    assert!(unknown.contains("is not trusted") && unknown.contains("--ca"), "{unknown}");
    let none = refusal(&Access::open(&server.address()));
    assert!(none.contains("--ca"), "{none}");
    let missing = refusal(&access("missing.pem"));
    assert!(missing.contains("missing.pem"), "{missing}");
}

/// A server that says this of itself, and nothing more.
fn pretender(info: &'static str) -> String {
    use std::io::Write;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten().take(4) {
            let mut stream = stream;
            drop(stream.write_all(format!("INFO {info}\r\nPONG\r\n").as_bytes()));
            std::thread::sleep(Duration::from_secs(3));
        }
    });
    format!("nats://{address}")
}

#[test]
fn a_server_that_is_too_old_or_no_server_at_all_is_refused_in_words() {
    let old = pretender(
        r#"{"server_id":"x","version":"2.9.10","proto":1,"host":"x","port":4222,"headers":true,"jetstream":true,"max_payload":1048576}"#,
    );
    let words = refusal(&Access::open(&old));
    assert!(words.contains("nats-server 2.9.10") && words.contains("2.10 or newer"), "{words}");
    let plain = pretender(
        r#"{"server_id":"x","version":"2.11.0","proto":1,"host":"x","port":4222,"headers":true,"max_payload":1048576}"#,
    );
    assert!(refusal(&Access::open(&plain)).contains("has no JetStream"));
    // Garbage in the place of a greeting, and an address that is none.
    let garbage = Nats::join(&Access::open(&pretender("{{{")), name("x")).err().expect("no server");
    assert!(!garbage.to_string().is_empty());
    let address = Nats::join(&Access::open("not an address"), name("x")).err().expect("no address");
    assert!(matches!(address, FleetError::Refused(_)), "{address:?}");
}
