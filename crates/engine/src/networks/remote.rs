//! A network on a thread of its own, for those who ask about one position at a time and may be anywhere.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Builder;

use outplay_net::{Backend, Outputs};
use outplay_search::mcts::EvaluationError;

use super::evaluator::run;

/// A network that answers one question after the other. What runs a network borrows it, and so cannot lie in the state of a search that is kept
/// between moves; a thread can have both. The thread ends with this.
pub(super) struct Remote {
    questions: SyncSender<Vec<u64>>,
    answers: Receiver<Result<Outputs, EvaluationError>>,
}

impl Remote {
    /// Begins to run a network.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn new(backend: Arc<dyn Backend>) -> Result<Remote, EvaluationError> {
        let (questions, asked) = sync_channel::<Vec<u64>>(1);
        let (tell, answers) = sync_channel(1);
        let answer = move || {
            let mut runner = backend.begin();
            while let Ok(words) = asked.recv() {
                let mut outputs = Outputs::default();
                let answer = run(&mut *runner, &[&words], &mut outputs).map(|()| outputs);
                if tell.send(answer).is_err() {
                    break;
                }
            }
        };
        let thread = Builder::new().name("network".to_string()).spawn(answer);
        thread.map_err(|error| EvaluationError(format!("the system gives no thread: {error}")))?;
        Ok(Remote { questions, answers })
    }

    /// What the network says of a position.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn ask(&self, words: Vec<u64>) -> Result<Outputs, EvaluationError> {
        let gone = || EvaluationError("the thread that runs the network has ended".to_string());
        self.questions.send(words).map_err(|_| gone())?;
        self.answers.recv().map_err(|_| gone())?
    }
}
