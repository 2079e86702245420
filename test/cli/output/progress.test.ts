import { expect, it } from 'vitest'
import { progressOf } from '../../../packages/cli/src/output/progress.ts'
import { silentShell } from '../silent-shell.ts'

it('prints a bar with the rate and the time left on a terminal, and removes it', () => {
  let now = 0
  const shell = silentShell({ isInteractive: true, now: () => now })
  const progress = progressOf(shell, 'exported', () => 0.25)
  now = 1_000
  progress.add(5_000)
  expect(shell.warned).toBe(
    '\rexported 5,000 rows  5,000/s  [=====               ] 25%  0:03 left\u001b[K',
  )
  progress.end()
  expect(shell.warned.endsWith('\r\u001b[K')).toBe(true)
})

it('prints a line every ten seconds elsewhere', () => {
  let now = 0
  const shell = silentShell({ now: () => now })
  const progress = progressOf(shell, 'imported')
  for (now = 1_000; now <= 20_000; now += 1_000) progress.add(10)
  progress.end()
  expect(shell.warned).toBe('imported 100 rows  10/s\nimported 200 rows  10/s\n')
})
