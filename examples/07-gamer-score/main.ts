/**
 * The score of a player, changed in a property bag and in a class. Neither changes the other properties of the row.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/07-gamer-score/main.ts
 */
import { connect, DynamicEntity, EntityProperty } from 'rowkey'
import { Gamer } from './gamer.ts'

const account = connect(process.env.TABLES ?? 'memory:')
// A new name, so that your own tables stay untouched.
const name = `gamers${Date.now()}`
const bags = account.table(name)
await bags.create()
const ratio = EntityProperty.double(3)
await bags.insert(new DynamicEntity('Smith', 'Jeff', { Score: 2410, Ratio: ratio, Club: 'Rook' }))
await bags.insert(new DynamicEntity('Smith', 'Ben', { Club: 'Rook' }))

/** Adds a point without a class. A row without a score is an error of the program that wrote it. */
async function addPoint(firstName: string): Promise<number> {
  const player = await bags.get(['Smith', firstName])
  const score = player.get('Score')
  if (score === undefined) throw new TypeError('Invalid entity, Score property not found!')
  const next = score.as('Int32') + 1
  await bags.merge(player.set('Score', EntityProperty.int32(next)))
  return next
}

console.log(`By property bag: ${await addPoint('Jeff')}`)
await addPoint('Ben').catch((error: TypeError) => console.log(`Ben: ${error.message}`))

const gamers = account.table(Gamer, name)
const jeff = await gamers.get(['Smith', 'Jeff'])
jeff.Score += 1
await gamers.merge(jeff)
console.log(`By class: ${jeff.Score}`)

const stored = await bags.get(['Smith', 'Jeff'])
const shown = [...stored.properties].map(([name, { type, value }]) => `${name}: ${type} ${value}`)
for (const line of shown.sort()) console.log(`  ${line}`)

await bags.drop()
await account.close()
