/**
 * First rows from a file: a program stores what is missing at every start, and overwrites nothing.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/15-seed-data/main.ts
 */
import { connect } from 'rowkey'
import { Plan } from './plan.ts'
import list from './plans.json' with { type: 'json' }
import { seed } from './seed.ts'

const account = connect(process.env.TABLES ?? 'memory:')
// A new name, so that your own tables stay untouched.
const plans = account.table(Plan, `plans${Date.now()}`)

const first = await seed(plans, list)
console.log(`The first start stores ${first.done} plans.`)

const team = await plans.get(['eu', 'team'])
console.log(`${team.name} has ${team.bytes} bytes.`)
team.price = 8
await plans.merge(team)

const second = await seed(plans, list)
console.log(`The second start stores ${second.done} plans and skips ${second.skipped}.`)
console.log(`${team.name} still costs ${(await plans.get(['eu', 'team'])).price}.`)

try {
  await seed(plans, [...list, { region: 'us', id: 'team', bytes: 'many' }])
} catch (error) {
  if (!(error instanceof Error)) throw error
  console.log(error.message)
}

await plans.drop()
await account.close()
