/**
 * One row as a property bag and as a class. Neither changes the properties of the other.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/07-gamer-score/main.ts
 */
import { connect, DynamicEntity, EntityProperty } from 'rowkey'
import { Gamer } from './gamer.ts'

const account = connect(process.env.TABLES ?? 'memory:')
// A new name, so that your own tables stay untouched.
const name = `gamers${Date.now()}`
const bags = account.table(name)
const gamers = account.table(Gamer, name)
await bags.create()

await bags.insert(
  new DynamicEntity('chess', 'anna', {
    score: EntityProperty.int64(2410n),
    ratio: EntityProperty.double(3),
    club: 'Rook',
  }),
)

// By class: typed members and methods.
const anna = await gamers.get(['chess', 'anna'])
anna.win(15)
await gamers.merge(anna)
console.log(`By class: ${anna.name} has ${anna.score}`)

// By property bag: check that the score exists and has the right type before using it.
const bag = await bags.get(['chess', 'anna'])
const score = bag.get('score')
if (score?.type === 'Int64') bag.set('score', EntityProperty.int64(score.as('Int64') + 5n))
await bags.merge(bag)
console.log(`By property bag: ${bag.get('score')?.value}`)

const stored = await bags.get(['chess', 'anna'])
const shown = [...stored.properties].map(([name, { type, value }]) => `${name}: ${type} ${value}`)
for (const line of shown.sort()) console.log(`  ${line}`)

await bags.drop()
await account.close()
