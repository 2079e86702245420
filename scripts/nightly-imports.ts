/**
 * Runs imports with a journal whose processes are killed between any two steps and whose disks fill, until one lives, and
 * fails when an operation was lost or applied twice. The test suite does the same with up to 60 seeds of each kind.
 *
 *     npm run nightly:imports                                # new seeds each time; prints them
 *     npm run nightly:imports -- --imports 1 --seed 42       # one import of each kind again
 */
import { parseArgs } from 'node:util'
import { IMPORTS, playImport } from '../test/mapper/bulk/killed-imports.ts'

const { values } = parseArgs({
  options: { imports: { type: 'string', default: '2000' }, seed: { type: 'string' } },
})
const count = Number(values.imports)
const first = Number(values.seed ?? Date.now() % 2 ** 31)

for (const [name, kind] of Object.entries(IMPORTS)) {
  const fired = { kills: 0, fullDisks: 0 }
  for (let seed = first; seed < first + count; seed++) {
    const result = await playImport(kind, seed)
    fired.kills += result.fired.kills
    fired.fullDisks += result.fired.fullDisks
    if (result.wrong === '') continue
    console.error(`${name}, seed ${seed}: ${result.wrong}`)
    process.exitCode = 1
  }
  const { kills, fullDisks } = fired
  console.log(
    `${name}: ${count} imports from seed ${first}, ${kills} kills, ${fullDisks} full disks`,
  )
}
