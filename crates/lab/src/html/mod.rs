//! Reports as pages: one HTML file each, which needs nothing else and never asks the network.
//!
//! A [`Page`] is text, [`Table`]s and [`Chart`]s. Charts are pictures drawn here as inline SVG: [`LinePlot`],
//! [`Histogram`], [`IntervalPlot`] and [`Radar`]. All of them are functions from data to text. There is no script;
//! the style sheet follows the reader's choice of light or dark, the width of the screen, and paper.
//!
//! Two promises hold everywhere. Text from outside is escaped, so that a player may have any name. Numbers that
//! are not finite never reach a picture: what has no place on a chart is left out, or said in words.

mod axis;
mod figure;
mod frame;
mod histogram;
mod intervals;
mod line;
mod number;
mod page;
mod radar;
mod svg;
mod table;
mod thin;

pub use axis::{Axis, Scale};
pub use histogram::Histogram;
pub use intervals::{Interval, IntervalPlot};
pub use line::LinePlot;
pub use number::number;
pub use page::Page;
pub use radar::Radar;
pub use table::{Cell, Table};

/// A picture for a [`Page`].
pub trait Chart {
    /// The picture with its caption and legend, as an HTML `figure`.
    fn figure(&self) -> String;
}
