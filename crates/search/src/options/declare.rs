//! The macros that declare settings and their choices.

/// Declares a choice between named ways of doing something, which can be a field of [`options!`](crate::options): an enum that is printed as,
/// and parsed from, its words.
///
/// ```
/// use outplay_search::{OptionSet, choices, options};
///
/// choices! {
///     /// How to greet.
///     pub enum Greeting {
///         /// As among friends.
///         Warm = "warm",
///         /// As among strangers.
///         Polite = "polite",
///     }
/// }
/// options! {
///     /// Settings of some program.
///     pub struct Manners {
///         /// How to greet.
///         pub greeting: Greeting = Greeting::Polite,
///     }
/// }
///
/// let mut manners = Manners::default();
/// manners.set("greeting", "warm").unwrap();
/// assert_eq!(manners.greeting, Greeting::Warm);
/// assert!(manners.set("greeting", "cold").is_err());
/// assert_eq!("WARM".parse(), Ok(Greeting::Warm));
/// assert_eq!(Greeting::Warm.to_string(), "warm");
/// ```
#[macro_export]
macro_rules! choices {
    (
        $(#[$enum_meta:meta])*
        pub enum $name:ident {
            $(#[doc = $help:literal] $variant:ident = $word:literal),* $(,)?
        }
    ) => {
        $(#[$enum_meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name {
            $(#[doc = $help] $variant),*
        }

        impl $name {
            /// The word for it in tables and on command lines.
            pub const fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word),*
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter) -> ::std::fmt::Result {
                f.pad(self.word())
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::NoSuchChoice;

            fn from_str(text: &str) -> Result<$name, $crate::NoSuchChoice> {
                let all = [$($name::$variant),*];
                let found = all.into_iter().find(|choice| choice.word().eq_ignore_ascii_case(text.trim()));
                found.ok_or_else(|| $crate::NoSuchChoice::new(text, &[$($word),*]))
            }
        }

        impl $crate::OptionType for $name {
            type Range = ();

            fn kind(_: Option<()>) -> $crate::OptionKind {
                $crate::OptionKind::Choice { words: vec![$($word.into()),*] }
            }

            fn to_value(&self) -> $crate::OptionValue {
                $crate::OptionValue::Choice(self.word().into())
            }

            fn from_value(value: &$crate::OptionValue) -> Option<$name> {
                match value {
                    $crate::OptionValue::Choice(word) => word.parse().ok(),
                    _ => None,
                }
            }
        }
    };
}

/// Declares a struct of settings: each field is one row of the options table, and its doc comment is the help.
///
/// After the default may stand, in this order, the range, a short name, the [attributes](crate::Attribute) and the values that an ablation
/// compares with. Rows may stand in groups, which have a title and attributes that all of their rows share. A struct with texts or files in it
/// is declared as `pub owned struct`: it can be cloned, but not copied.
///
/// ```
/// use outplay_search::{Attribute, OptionSet, options};
///
/// options! {
///     /// Settings of some search.
///     pub struct Settings {
///         group "Character" []:
///         /// Whether to be brave.
///         pub brave: bool = true, is [Selective],
///         group "Tries" [Expert]:
///         /// How many tries to make.
///         pub tries: u32 = 3, in 1..=100,
///         /// How much a try is worth.
///         pub worth: f64 = 0.5, in 0.0..=1.0, alias "w", is [Clock], ablate [0.0],
///     }
/// }
///
/// let mut settings = Settings::default();
/// settings.set("tries", "7").unwrap();
/// assert_eq!(settings.tries, 7);
/// assert!(settings.set("tries", "101").is_err());
/// settings.set("w", "0.25").unwrap();
/// assert_eq!(settings.worth, 0.25);
/// let row = &settings.rows()[2];
/// assert_eq!((&*row.help, &*row.group), ("How much a try is worth.", "Tries"));
/// assert_eq!(row.attributes, [Attribute::Expert, Attribute::Clock]);
/// ```
#[macro_export]
macro_rules! options {
    ($(#[$struct_meta:meta])* pub struct $name:ident { group $($rest:tt)* }) => {
        $crate::options!(@declare $(#[$struct_meta])* #[derive(Copy)] pub struct $name { group $($rest)* });
    };
    ($(#[$struct_meta:meta])* pub owned struct $name:ident { group $($rest:tt)* }) => {
        $crate::options!(@declare $(#[$struct_meta])* pub struct $name { group $($rest)* });
    };
    ($(#[$struct_meta:meta])* pub struct $name:ident { $($rest:tt)* }) => {
        $crate::options!($(#[$struct_meta])* pub struct $name { group "" []: $($rest)* });
    };
    ($(#[$struct_meta:meta])* pub owned struct $name:ident { $($rest:tt)* }) => {
        $crate::options!($(#[$struct_meta])* pub owned struct $name { group "" []: $($rest)* });
    };
    (
        @declare
        $(#[$struct_meta:meta])*
        pub struct $name:ident {
            $(
                group $group:literal $of_group:tt :
                $(
                    #[doc = $help:literal]
                    pub $field:ident : $type:ty = $default:expr
                        $(, in $range:expr)? $(, alias $alias:literal)? $(, is $attributes:tt)?
                        $(, ablate [$($ablation:expr),*])?
                ),* $(,)?
            )*
        }
    ) => {
        $(#[$struct_meta])*
        #[derive(Clone, PartialEq, Debug)]
        pub struct $name {
            $($(
                #[doc = $help]
                pub $field: $type,
            )*)*
        }

        impl Default for $name {
            fn default() -> $name {
                $name { $($($field: $default),*),* }
            }
        }

        impl $crate::OptionSet for $name {
            fn rows(&self) -> Vec<$crate::OptionRow> {
                let defaults = $name::default();
                let _ = &defaults;
                vec![$($(
                    $crate::OptionRow {
                        name: stringify!($field).into(),
                        help: $help.trim_ascii().into(),
                        group: $group.into(),
                        kind: <$type as $crate::OptionType>::kind($crate::options!(@optional $($range)?)),
                        default: $crate::OptionType::to_value(&defaults.$field),
                        alias: $crate::options!(@optional $($alias.into())?),
                        attributes: $crate::options!(@attributes $of_group $($attributes)?),
                        ablations: $crate::options!(@ablations defaults.$field $(, [$($ablation),*])?),
                    }
                ),*),*]
            }

            fn value(&self, index: usize) -> $crate::OptionValue {
                let mut row = 0..;
                $($(
                    if row.next() == Some(index) {
                        return $crate::OptionType::to_value(&self.$field);
                    }
                )*)*
                unreachable!("row {index} of {}: there are {row:?}", stringify!($name))
            }

            fn assign(&mut self, index: usize, value: $crate::OptionValue) {
                let mut row = 0..;
                $($(
                    if row.next() == Some(index)
                        && let Some(value) = <$type as $crate::OptionType>::from_value(&value)
                    {
                        self.$field = value;
                    }
                )*)*
                let _ = (row, value);
            }
        }

        impl $crate::Declared for $name {
            fn taking(&self, attribute: $crate::Attribute, other: &$name) -> $name {
                $name { $($($field: {
                    let attributes = $crate::options!(@attributes $of_group $($attributes)?);
                    if attributes.contains(&attribute) { other } else { self }.$field.clone()
                }),*),* }
            }

            fn without(&self, attribute: $crate::Attribute) -> $name {
                $name { $($($field: {
                    let attributes = $crate::options!(@attributes $of_group $($attributes)?);
                    let has_it = attributes.contains(&attribute);
                    if has_it { $crate::OptionType::off(&self.$field) } else { self.$field.clone() }
                }),*),* }
            }

            fn differs(&self, attribute: $crate::Attribute, other: &$name) -> bool {
                false $($(|| {
                    let attributes = $crate::options!(@attributes $of_group $($attributes)?);
                    attributes.contains(&attribute) && self.$field != other.$field
                })*)*
            }
        }
    };
    (@optional) => { None };
    (@optional $value:expr) => { Some($value) };
    (@attributes $of_group:tt) => { $crate::options!(@attributes $of_group []) };
    (@attributes [$($of_group:expr),*] [$($attribute:expr),*]) => {{
        #[allow(unused_imports)]
        use $crate::Attribute::*;
        const ALL: &[$crate::Attribute] = &[$($of_group,)* $($attribute),*];
        ALL
    }};
    (@ablations $default:expr) => { $crate::OptionType::ablations(&$default) };
    (@ablations $default:expr, [$($value:expr),*]) => { vec![$($crate::OptionType::to_value(&$value)),*] };
}
