import { Option } from 'commander'

/** What to do with a row that is stored already. */
export type OnExisting = 'fail' | 'skip' | 'replace' | 'merge'

/** Makes the option `--on-existing`, whose values are those of {@link OnExisting}. */
export function onExistingOption(): Option {
  const choices: readonly OnExisting[] = ['fail', 'skip', 'replace', 'merge']
  return new Option('--on-existing <what>', 'what to do with a row that is stored already')
    .choices(choices)
    .default('fail')
}
