//! The protocols between threads, in every order in which their steps can happen.
//!
//! The files with the signals of a search, the team that searches, its milestones and the desk of a worker are compiled here
//! once more, on the primitives of a model checker. Each test is a small scene that is played in all orders that differ, and
//! also with every older value that a relaxed load may still see. A deadlock, a missed wake-up or a broken assertion fails.
//!
//! Scenes of three threads are played with at most two forced switches between threads, which is where faults show;
//! `LOOM_MAX_PREEMPTIONS=3 cargo test --test protocol_model` takes another number, and longer.

use loom::model::Builder;
use loom::sync::Arc;
use loom::thread;

/// What `crate::sync` is to these files in the engine.
mod sync {
    pub use loom::sync::{Condvar, Mutex, MutexGuard, atomic};
    pub use std::sync::PoisonError;
}

#[path = "../src/engine/desk.rs"]
mod desk;
#[path = "../src/search/milestones.rs"]
mod milestones;
#[allow(dead_code, reason = "the scenes need less than the engine")]
#[path = "../src/search/signals.rs"]
mod signals;
#[allow(dead_code, reason = "the scenes need less than the engine")]
#[path = "../src/search/team.rs"]
mod team;

use desk::Desk;
use milestones::Milestones;
use signals::Signals;
use team::Team;

/// Plays a scene of three threads.
fn play(scene: impl Fn() + Sync + Send + 'static) {
    let mut player = Builder::new();
    player.preemption_bound = player.preemption_bound.or(Some(2));
    player.check(scene);
}

#[test]
fn a_held_back_answer_is_released_by_stop_whenever_it_comes() {
    loom::model(|| {
        let signals = Arc::new(Signals::default());
        signals.reset(true);
        let waiter = thread::spawn({
            let signals = Arc::clone(&signals);
            move || signals.wait_until_released(true)
        });
        signals.stop();
        waiter.join().unwrap();
        assert!(signals.is_stopped());
    });
}

#[test]
fn a_held_back_answer_is_released_by_ponderhit_whenever_it_comes() {
    loom::model(|| {
        let signals = Arc::new(Signals::default());
        signals.reset(true);
        let waiter = thread::spawn({
            let signals = Arc::clone(&signals);
            move || {
                signals.wait_until_released(false);
                assert!(!signals.is_pondering());
            }
        });
        signals.ponderhit();
        waiter.join().unwrap();
    });
}

#[test]
fn ponderhit_does_not_release_an_endless_search_but_stop_after_it_does() {
    loom::model(|| {
        let signals = Arc::new(Signals::default());
        signals.reset(true);
        let waiter = thread::spawn({
            let signals = Arc::clone(&signals);
            move || {
                signals.wait_until_released(true);
                assert!(signals.is_stopped());
            }
        });
        signals.ponderhit();
        signals.stop();
        waiter.join().unwrap();
    });
}

#[test]
fn a_stop_from_one_side_and_a_ponderhit_from_another_release_once() {
    loom::model(|| {
        let signals = Arc::new(Signals::default());
        signals.reset(true);
        let hit = thread::spawn({
            let signals = Arc::clone(&signals);
            move || signals.ponderhit()
        });
        let stop = thread::spawn({
            let signals = Arc::clone(&signals);
            move || signals.stop()
        });
        signals.wait_until_released(false);
        hit.join().unwrap();
        stop.join().unwrap();
    });
}

/// The life of a helper: doubles what it is given until its desk is closed.
fn doubler(desk: &Arc<Desk<u32, u32>>) -> thread::JoinHandle<u32> {
    let desk = Arc::clone(desk);
    thread::spawn(move || {
        let mut tasks = 0;
        while let Some(number) = desk.take() {
            tasks += 1;
            desk.finish(2 * number);
        }
        tasks
    })
}

#[test]
fn every_task_is_done_once_and_its_outcome_collected() {
    loom::model(|| {
        let desk = Arc::new(Desk::default());
        let helper = doubler(&desk);
        for number in [1, 2] {
            desk.give(number);
            assert_eq!(desk.collect(), Some(2 * number));
        }
        desk.close();
        assert_eq!(helper.join().unwrap(), 2);
        assert_eq!(desk.collect(), None);
    });
}

#[test]
fn two_helpers_work_side_by_side() {
    play(|| {
        let desks = [(); 2].map(|()| Arc::new(Desk::default()));
        let helpers = [0, 1].map(|number| doubler(&desks[number]));
        desks.iter().zip([5, 6]).for_each(|(desk, number)| desk.give(number));
        assert_eq!(desks.each_ref().map(|desk| desk.collect()), [Some(10), Some(12)]);
        desks.iter().for_each(|desk| desk.close());
        assert_eq!(helpers.map(|helper| helper.join().unwrap()), [1, 1]);
    });
}

#[test]
fn a_task_given_before_the_last_was_collected_waits_for_its_end() {
    loom::model(|| {
        let desk = Arc::new(Desk::default());
        let helper = doubler(&desk);
        desk.give(1);
        desk.give(2);
        assert_eq!(desk.collect(), Some(4));
        desk.close();
        assert_eq!(helper.join().unwrap(), 2);
    });
}

#[test]
fn closing_ends_a_helper_that_waits_works_or_has_just_been_given_a_task() {
    loom::model(|| {
        let desk = Arc::new(Desk::default());
        let helper = doubler(&desk);
        desk.give(1);
        desk.close();
        assert!(helper.join().unwrap() <= 1);
    });
}

#[test]
fn nobody_waits_for_a_helper_that_is_gone() {
    loom::model(|| {
        let desk: Arc<Desk<u32, u32>> = Arc::new(Desk::default());
        let helper = thread::spawn({
            let desk = Arc::clone(&desk);
            move || {
                // It has taken a task, or not, and ends without an outcome.
                desk.close();
            }
        });
        desk.give(1);
        assert_eq!(desk.collect(), None);
        helper.join().unwrap();
    });
}

/// A helper's search: until it is told that the search is over.
fn search(team: &Team, signals: &Signals, number: usize) {
    let seat = team.seat(number);
    seat.publish(number as u64);
    while !seat.is_over() && !signals.is_stopped() {
        thread::yield_now();
    }
}

#[test]
fn the_end_of_the_leader_ends_the_helper_and_its_last_count_is_known() {
    loom::model(|| {
        let desk: Arc<Desk<Arc<Team>, ()>> = Arc::new(Desk::default());
        let helper = thread::spawn({
            let desk = Arc::clone(&desk);
            move || {
                while let Some(team) = desk.take() {
                    search(&team, &Signals::default(), 1);
                    desk.finish(());
                }
            }
        });
        let team = Arc::new(Team::new(2));
        desk.give(Arc::clone(&team));
        team.seat(0).publish(10);
        team.end();
        assert_eq!(desk.collect(), Some(()));
        assert_eq!(team.nodes(), 11);
        desk.close();
        helper.join().unwrap();
    });
}

#[test]
fn a_stop_reaches_leader_and_helper_and_the_answer_follows() {
    play(|| {
        let signals = Arc::new(Signals::default());
        signals.reset(true);
        let owner = thread::spawn({
            let signals = Arc::clone(&signals);
            move || signals.stop()
        });
        let desk: Arc<Desk<Arc<Team>, ()>> = Arc::new(Desk::default());
        let helper = thread::spawn({
            let (desk, signals) = (Arc::clone(&desk), Arc::clone(&signals));
            move || {
                if let Some(team) = desk.take() {
                    search(&team, &signals, 1);
                    desk.finish(());
                }
            }
        });
        let team = Arc::new(Team::new(2));
        desk.give(Arc::clone(&team));
        // The leader comes to its end before the stop or because of it.
        team.seat(0).publish(if signals.is_stopped() { 1 } else { 2 });
        team.end();
        assert_eq!(desk.collect(), Some(()));
        signals.wait_until_released(true);
        owner.join().unwrap();
        helper.join().unwrap();
    });
}

#[test]
fn who_sees_that_an_iteration_is_finished_gets_its_finding() {
    loom::model(|| {
        let milestones = Arc::new(Milestones::default());
        let helper = thread::spawn({
            let milestones = Arc::clone(&milestones);
            move || {
                milestones.offer(1, "helper's first");
                milestones.offer(2, "helper's second");
            }
        });
        milestones.offer(1, "leader's first");
        let seen = milestones.depth();
        assert!(milestones.at_least(seen).is_some() && seen >= 1);
        helper.join().unwrap();
        assert_eq!(milestones.at_least(2), Some((2, "helper's second")));
        assert_eq!(milestones.at_least(3), None);
    });
}
