import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'

/**
 * Adds `complete <shell>`, which prints the script that completes commands and options in bash, zsh, fish or PowerShell.
 *
 * @param program - the program with all of its commands
 */
export function addCompletion(program: Command): void {
  tab(program)
}
