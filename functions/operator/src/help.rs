//! What every command's help ends with.

use clap::{Command, CommandFactory};

use crate::cli::Cli;

const EXIT_CODES: &str = "Exit codes: 0 all done; 1 something was found or left undone, and was said; 2 it could not be carried out.";

/// The command line, with the exit codes in the help of every command.
pub fn command() -> Command {
    footed(Cli::command())
}

fn footed(command: Command) -> Command {
    command.after_help(EXIT_CODES).mut_subcommands(footed)
}

#[cfg(test)]
mod tests {
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
        leaves(&command(), "zaehlwerk", &mut found);
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
        let pages = docs.filter(|path| path.extension().is_some_and(|kind| kind == "md")).chain([root.join("starter/README.md")]);
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
