/** A client that skips work is not comparable: its results must be complete and have the right types. */
import { entities } from './fixture.mjs'

/** Some clients wrap a value with its type. */
function plainValue(entity, name) {
  const value = entity[name]
  const isWrapped =
    typeof value === 'object' &&
    'value' in value &&
    !(value instanceof Date) &&
    !ArrayBuffer.isView(value)
  return isWrapped ? value.value : value
}

const checks = {
  rowKey: (value, expected) => value === expected,
  Name: (value, expected) => value === expected,
  Count: (value, expected) => value === expected,
  Active: (value, expected) => value === expected,
  Price: (value, expected) => value === expected,
  Score: (value, expected) => Number(value) === expected,
  Visits: (value, expected) => BigInt(value) === expected,
  Created: (value, expected) => value instanceof Date && value.getTime() === expected.getTime(),
  Ref: (value, expected) => value === expected,
  Blob: (value, expected) => Buffer.from(value).equals(expected),
}

const faultsOf = (what, entity, index) =>
  Object.entries(checks)
    .filter(([name, isRight]) => !isRight(plainValue(entity, name), entities[index][name]))
    .map(([name]) => `${what}: ${name} is ${String(plainValue(entity, name))}`)

/** @returns one line for each fault */
export async function verify(client) {
  await client.insert(0)
  await client.upsertMerge(0)
  await client.delete(0)
  const faults = faultsOf('get', await client.get(0), 0)
  const results = await client.batch100(0)
  if (results.length !== 100) faults.push(`batch100: ${results.length} results`)
  const page = await client.queryPage1000()
  if (page.length !== 1000) faults.push(`queryPage1000: ${page.length} entities`)
  for (const index of [0, 1, 999]) faults.push(...faultsOf('queryPage1000', page[index], index))
  const all = await client.queryAll10k()
  if (all.length !== 10_000) faults.push(`queryAll10k: ${all.length} entities`)
  return faults
}
