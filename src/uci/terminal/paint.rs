//! Colours, where the terminal has them and the person wants them: `NO_COLOR` (no-color.org) and `TERM=dumb` turn them off.

use std::fmt::Display;

use anstyle::{Ansi256Color, AnsiColor, Style};

/// Puts colours on text, or not.
#[derive(Clone, Copy, Debug)]
pub(in crate::uci) struct Paint {
    on: bool,
}

/// What a square of the board looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shade {
    Light,
    Dark,
    /// A square of the last move.
    Marked,
}

/// Middle shades, on which black and white men are equally clear.
const LIGHT: Ansi256Color = Ansi256Color(67);
const DARK: Ansi256Color = Ansi256Color(60);
const MARKED: Ansi256Color = Ansi256Color(101);
const WHITE_MAN: Ansi256Color = Ansi256Color(231);
const BLACK_MAN: Ansi256Color = Ansi256Color(16);

impl Paint {
    /// Colours or none.
    pub(in crate::uci) fn new(on: bool) -> Paint {
        Paint { on }
    }

    /// As the environment asks for. Where a terminal must be told to show colours, tells it.
    pub(in crate::uci) fn from_environment() -> Paint {
        #[cfg(windows)]
        let able = anstyle_query::windows::enable_ansi_colors().unwrap_or(true);
        #[cfg(not(windows))]
        let able = true;
        Paint { on: able && !anstyle_query::no_color() && anstyle_query::term_supports_ansi_color() }
    }

    fn styled(self, style: Style, text: impl Display) -> String {
        if self.on { format!("{style}{text}{style:#}") } else { text.to_string() }
    }

    pub(super) fn strong(self, text: impl Display) -> String {
        self.styled(Style::new().bold(), text)
    }

    pub(super) fn faint(self, text: impl Display) -> String {
        self.styled(Style::new().dimmed(), text)
    }

    pub(super) fn error(self, text: impl Display) -> String {
        self.styled(Style::new().fg_color(Some(AnsiColor::Red.into())), text)
    }

    /// A square with what stands on it.
    pub(super) fn square(self, text: &str, shade: Shade, white_man: bool) -> String {
        let ground = match shade {
            Shade::Light => LIGHT,
            Shade::Dark => DARK,
            Shade::Marked => MARKED,
        };
        let man = if white_man { WHITE_MAN } else { BLACK_MAN };
        self.styled(Style::new().bold().fg_color(Some(man.into())).bg_color(Some(ground.into())), text)
    }
}
