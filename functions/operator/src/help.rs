//! The help of every command in the staff's language, and what it ends with.
//!
//! English stands in `cli.rs` as documentation; German in `german.rs`, of which a copy of the command line is made before the arguments are read (D-PLATFORM-12).

use std::ffi::OsString;

use clap::builder::{Str, StyledStr};
use clap::{Arg, ArgAction, Command, CommandFactory};
use domain::text::Lang;

use crate::cli::Cli;
use crate::german;

const EXIT_CODES: &str = "Exit codes: 0 all done; 1 something was found or left undone, and was said; 2 it could not be carried out.";
const EXIT_CODES_DE: &str =
    "Rückgabewerte: 0 alles erledigt; 1 etwas wurde gefunden oder blieb liegen und wurde gemeldet; 2 es konnte nicht ausgeführt werden.";
const EXAMPLE: &str = "Example: ";

/// The command line, with the exit codes in the help of every command.
pub fn command(lang: Lang) -> Command {
    match lang {
        Lang::En => footed(Cli::command()),
        Lang::De => with_usage(in_german(Cli::command(), "")),
    }
}

/// The arguments as [`command`] understands them: clap's command `help` has English texts of its own, so that in German it is the option that it stands for.
pub fn arguments(lang: Lang, arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<_> = arguments.collect();
    if lang == Lang::De
        && let Some(place) = place_of_help(&arguments)
    {
        arguments.remove(place);
        arguments.push("--help".into());
    }
    arguments
}

/// Where `help` stands for a command: after groups of commands, and after options that all commands have.
fn place_of_help(arguments: &[OsString]) -> Option<usize> {
    let root = Cli::command();
    let takes_value = |word: &str| {
        let is_meant = |argument: &&Arg| argument.get_long().is_some_and(|name| word.strip_prefix("--") == Some(name));
        root.get_arguments().find(is_meant).is_some_and(|argument| argument.get_action().takes_values())
    };
    let mut command = &root;
    let mut words = arguments.iter().enumerate().skip(1);
    while let Some((place, word)) = words.next() {
        match word.to_str()? {
            "help" if command.has_subcommands() => return Some(place),
            word if takes_value(word) => {
                words.next();
            }
            word if word.starts_with('-') => {}
            word => command = command.find_subcommand(word)?,
        }
    }
    None
}

fn footed(command: Command) -> Command {
    command.after_help(EXIT_CODES).mut_subcommands(footed)
}

fn below(words: &str, name: &str) -> String {
    if words.is_empty() { name.to_owned() } else { format!("{words} {name}") }
}

/// A command and those below it in German; what has no German text yet stays as it is.
fn in_german(command: Command, words: &str) -> Command {
    let mut command = command.after_help(EXIT_CODES_DE).disable_help_subcommand(true).subcommand_value_name("BEFEHL");
    if let Some((_, about, more)) = german::COMMANDS.iter().find(|(known, ..)| *known == words) {
        let english = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
        let examples: Vec<_> =
            english.lines().filter_map(|line| line.strip_prefix(EXAMPLE)).map(|line| format!("Beispiel: {line}")).collect();
        let paragraphs = [(*about).to_owned(), (*more).to_owned(), examples.join("\n")];
        let paragraphs: Vec<_> = paragraphs.into_iter().filter(|paragraph| !paragraph.is_empty()).collect();
        command = command.about(*about).long_about(paragraphs.join("\n\n"));
    }
    command = command
        .disable_help_flag(true)
        .arg(Arg::new("help").short('h').long("help").action(ArgAction::Help).help(german::argument(words, "help")).display_order(900));
    if words.is_empty() {
        let version = Arg::new("version").short('V').long("version").action(ArgAction::Version);
        command = command.disable_version_flag(true).arg(version.help(german::argument(words, "version")).display_order(901));
    }
    let template = template(&command);
    let words = words.to_owned();
    command.help_template(template).mut_args(|argument| argument_in_german(argument, &words)).mut_subcommands(|command| {
        let words = below(&words, command.get_name());
        in_german(command, &words)
    })
}

fn argument_in_german(argument: Arg, words: &str) -> Arg {
    let help = german::argument(words, argument.get_id().as_str());
    let names = argument.get_value_names().into_iter().flatten();
    let names: Vec<Str> = names.map(|name| german::value_name(name).map_or_else(|| name.clone(), Str::from)).collect();
    let default = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let variable = argument.get_env().map(|name| name.to_string_lossy().into_owned());
    let takes_value = argument.get_action().takes_values();
    let possible: Vec<String> = argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    // clap has English words for these.
    let mut notes = Vec::new();
    if takes_value && !possible.is_empty() {
        notes.push(format!("[möglich: {}]", possible.join(", ")));
    }
    if takes_value && !default.is_empty() {
        notes.push(format!("[Vorgabe: {default}]"));
    }
    notes.extend(variable.map(|name| format!("[Umgebungsvariable: {name}]")));
    let mut argument = argument.hide_env(true);
    if takes_value {
        argument = argument.hide_default_value(true).hide_possible_values(true);
    }
    if takes_value && !names.is_empty() {
        argument = argument.value_names(names);
    }
    match help {
        None => argument,
        Some(help) => argument.help(std::iter::once(help.to_owned()).chain(notes).collect::<Vec<_>>().join(" ")).long_help(None::<&str>),
    }
}

/// clap's own, with German headings.
fn template(command: &Command) -> String {
    let heading = |word: &str| format!("\u{1b}[1m\u{1b}[4m{word}:\u{1b}[0m");
    let mut template = format!("{{before-help}}{{about-with-newline}}\n{} {{usage}}\n", heading("Aufruf"));
    let mut section = |word: &str, tag: &str| template.push_str(&format!("\n{}\n{{{tag}}}\n", heading(word)));
    if command.has_subcommands() {
        section("Befehle", "subcommands");
    }
    if command.get_positionals().next().is_some() {
        section("Argumente", "positionals");
    }
    section("Optionen", "options");
    template + "{after-help}"
}

/// Puts the usage of each command in German: only a command line that is complete knows how it is called.
fn with_usage(command: Command) -> Command {
    let mut complete = command.clone();
    complete.build();
    usage_of(command, &mut complete)
}

fn usage_of(command: Command, complete: &mut Command) -> Command {
    let usage = complete.render_usage().ansi().to_string();
    let usage = usage.split_once("Usage:").map_or(usage.as_str(), |(_, rest)| rest);
    // The code that ends the style of the heading.
    let usage = usage.split_once(' ').map_or(usage, |(_, rest)| rest).replace("[OPTIONS]", "[OPTIONEN]");
    command.override_usage(StyledStr::from(usage)).mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        match complete.find_subcommand_mut(&name) {
            Some(complete) => usage_of(command, complete),
            None => command,
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use clap::Parser;

    use super::*;

    /// Every command that does something, by its words.
    fn leaves(command: &Command, words: &str, found: &mut Vec<(String, Command)>) {
        if !command.has_subcommands() {
            found.push((words.to_owned(), command.clone()));
        }
        for below in command.get_subcommands() {
            leaves(below, &format!("{words} {}", below.get_name()), found);
        }
    }

    fn all() -> Vec<(String, Command)> {
        let mut found = Vec::new();
        leaves(&command(Lang::En), "zaehlwerk", &mut found);
        assert!(found.len() > 15 && found.iter().any(|(words, _)| words == "zaehlwerk readings mscons"), "{}", found.len());
        found
    }

    /// As a shell would: blanks separate, quotes keep together, settings stand before, and what follows `>` is not the command's.
    fn arguments(line: &str) -> Vec<String> {
        let line = line.split(" > ").next().unwrap();
        let pieces = line.split('"').enumerate().flat_map(|(place, piece)| match place % 2 {
            0 => piece.split_whitespace().collect::<Vec<_>>(),
            _ => vec![piece],
        });
        pieces.skip_while(|word| *word != "zaehlwerk").map(str::to_owned).collect()
    }

    fn is_understood(line: &str) {
        let words = arguments(line);
        assert!(words.len() > 1, "{line}");
        if let Err(error) = Cli::try_parse_from(words) {
            panic!("{line}\n{error}");
        }
    }

    fn pages() -> Vec<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let docs = fs::read_dir(root.join("../../docs")).unwrap().map(|file| file.unwrap().path());
        let pages = docs
            .filter(|path| path.extension().is_some_and(|kind| kind == "md"))
            .chain(["README.md", "README.de.md"].map(|page| root.join("starter").join(page)));
        pages.map(|path| fs::read_to_string(path).unwrap()).collect()
    }

    #[test]
    fn every_command_has_an_example_that_works_and_its_exit_codes() {
        for (words, mut command) in all() {
            let help = command.render_long_help().to_string();
            let examples: Vec<_> = help.lines().filter_map(|line| line.trim().strip_prefix("Example: ")).collect();
            assert!(!examples.is_empty(), "{words}: no example");
            for example in examples {
                assert!(example.starts_with(&format!("{words} ")) || example == words, "{words}: {example}");
                is_understood(example);
            }
            assert!(help.contains(EXIT_CODES), "{words}: {help}");
        }
    }

    /// Of every command, groups too: its words, and itself.
    fn tree(command: &Command, words: &str, found: &mut Vec<(String, Command)>) {
        found.push((words.to_owned(), command.clone()));
        for next in command.get_subcommands() {
            tree(next, &below(words, next.get_name()), found);
        }
    }

    #[test]
    fn every_command_and_argument_has_a_german_text_and_none_is_left_over() {
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        tree(&Cli::command(), "", &mut found);
        let mut used = BTreeSet::from(["help".to_owned(), "version".to_owned()]);
        for (words, command) in &found {
            if !german::COMMANDS.iter().any(|(known, ..)| known == words) {
                missing.push(format!("COMMANDS: (\"{words}\", \"…\", \"…\")"));
            }
            for argument in command.get_arguments() {
                let (id, own) = (argument.get_id().as_str(), below(words, argument.get_id().as_str()));
                let key = if german::ARGUMENTS.iter().any(|(known, _)| *known == own) { own.clone() } else { id.to_owned() };
                if !german::ARGUMENTS.iter().any(|(known, _)| *known == key) {
                    missing.push(format!("ARGUMENTS: (\"{own}\", \"…\")"));
                }
                used.insert(key);
                let names = argument.get_value_names().into_iter().flatten().map(ToString::to_string);
                for name in names.filter(|_| argument.get_action().takes_values()) {
                    if !german::VALUE_NAMES.iter().any(|(known, _)| *known == name) {
                        missing.push(format!("VALUE_NAMES: (\"{name}\", \"…\")"));
                    }
                }
            }
        }
        assert!(missing.is_empty(), "add to operator/src/german.rs, in German:\n{}", missing.join("\n"));
        let commands = german::COMMANDS.iter().map(|(words, ..)| *words).filter(|words| !found.iter().any(|(known, _)| known == words));
        assert_eq!(commands.collect::<Vec<_>>(), [""; 0], "operator/src/german.rs: COMMANDS has what there is no longer");
        let left = german::ARGUMENTS.iter().map(|(key, _)| *key).filter(|key| !used.contains(*key));
        assert_eq!(left.collect::<Vec<_>>(), [""; 0], "operator/src/german.rs: ARGUMENTS has what there is no longer");
    }

    #[test]
    fn the_german_help_is_german_and_has_the_same_examples() {
        let examples = |help: &str, word: &str| {
            let lines = help.lines().filter_map(|line| line.trim().strip_prefix(word)).map(str::to_owned);
            lines.collect::<Vec<_>>()
        };
        let (mut english, mut german) = (Vec::new(), Vec::new());
        tree(&command(Lang::En), "", &mut english);
        tree(&command(Lang::De), "", &mut german);
        assert_eq!(english.len(), german.len());
        for ((words, mut english), (_, mut german)) in english.into_iter().zip(german) {
            german.build();
            let help = german.render_long_help().to_string();
            assert_eq!(examples(&help, "Beispiel: "), examples(&english.render_long_help().to_string(), EXAMPLE), "{words}");
            assert!(
                help.contains("\nAufruf: zaehlwerk") && help.contains("\nOptionen:\n") && help.contains(EXIT_CODES_DE),
                "{words}: {help}"
            );
            let clap = [
                "Usage",
                "Options",
                "OPTIONS",
                "Commands",
                "COMMAND",
                "Arguments",
                "[default",
                "[env",
                "[possible",
                "Print help",
                "Example",
            ];
            assert_eq!(clap.iter().find(|word| help.contains(*word)), None, "{words}: {help}");
        }
    }

    #[test]
    fn no_secret_stands_on_the_command_line() {
        for (words, command) in all() {
            for argument in command.get_arguments() {
                let names = [Some(argument.get_id().as_str()), argument.get_long()].into_iter().flatten();
                for name in names {
                    let secret = ["password", "secret", "token", "credential", "key"].iter().find(|word| name.contains(*word));
                    assert_eq!(secret, None, "{words}: {name}");
                }
            }
        }
    }

    /// A clerk copies what a page says.
    #[test]
    fn every_command_is_on_a_page_and_the_pages_are_understood() {
        let pages = pages();
        for (words, _) in all() {
            assert!(pages.iter().any(|page| page.contains(&words)), "{words} is on no page of docs/");
        }
        let mut count = 0;
        for page in &pages {
            let lines = page.lines().map(str::trim_start).filter(|line| {
                let first = line.split(' ').find(|word| !word.contains('=')).unwrap_or_default();
                first == "zaehlwerk" && !line.ends_with('.')
            });
            for line in lines {
                is_understood(line);
                count += 1;
            }
        }
        assert!(count > 20, "{count}");
    }
}
