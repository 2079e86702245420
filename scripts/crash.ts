/**
 * Kills the durable service at random points and checks what it kept:
 * `npm run tool crash -- [rounds] [seed]`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crashRounds } from './crash/crash-rounds.ts'

const rounds = Number(process.argv[2] ?? 200)
const seed = Number(process.argv[3] ?? 1)
const folder = await mkdtemp(join(tmpdir(), 'rowkey-crash-'))

const { kills, acknowledged, wrong } = await crashRounds({
  folder,
  rounds,
  seed,
  onRound(round, figures) {
    if (round % 20 === 0) console.log(`${figures.kills} kills, ${figures.acknowledged} writes`)
  },
})
console.log(`${kills} kills, ${acknowledged} acknowledged writes, ${wrong.length} lost or torn`)
for (const text of wrong) console.error(text)
if (wrong.length > 0) {
  console.error(`The folder is kept: ${folder}`)
  process.exit(1)
}
await rm(folder, { recursive: true, force: true })
