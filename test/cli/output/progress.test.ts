import { expect, it } from 'vitest'
import { type OnRows, withProgress } from '../../../packages/cli/src/output/progress.ts'
import { silentShell } from '../silent-shell.ts'

it('prints a bar with the rate and the time left on a terminal, and removes it', async () => {
  let now = 0
  const shell = silentShell({ isInteractive: true, now: () => now })
  await withProgress(shell, 'exported', {}, async (onRows) => {
    now = 1_000
    onRows(5_000, 0.25)
    expect(shell.warned).toBe(
      '\rexported 5,000 rows  5,000/s  [=====               ] 25%  0:03 left\u001b[K',
    )
  })
  expect(shell.warned.endsWith('\r\u001b[K')).toBe(true)
})

it('prints a line every ten seconds elsewhere, and none with --json', async () => {
  let now = 0
  const shell = silentShell({ now: () => now })
  const importing = async (onRows: OnRows) => {
    for (now = 1_000; now <= 20_000; now += 1_000) onRows(10)
  }
  await withProgress(shell, 'imported', {}, importing)
  now = 0
  await withProgress(shell, 'imported', { json: true }, importing)
  expect(shell.warned).toBe('imported 100 rows  10/s\nimported 200 rows  10/s\n')
})
