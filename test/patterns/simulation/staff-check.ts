import type { Account } from '@rowkey/mapper'
import type { DynamicEntity } from '@rowkey/odata'

/**
 * Reads all rows of the staff without any pattern, and compares each partition with what the patterns of one transaction
 * must hold: entries of both indexes, the count, and the copy of the manager's name.
 *
 * @param account - an account without faults
 * @returns what is wrong, in words
 */
export async function wrongStaff(account: Account): Promise<readonly string[]> {
  const rows = await account.table('staff').query().allowTableScan().toArray()
  const partitions = new Map<string, DynamicEntity[]>()
  for (const row of rows) {
    partitions.set(row.partitionKey, [...(partitions.get(row.partitionKey) ?? []), row])
  }
  return [...partitions].flatMap(([name, all]) => {
    if (name.startsWith('~rk~')) return []
    return wrongPartition(all).map((problem) => `${name}: ${problem}`)
  })
}

function wrongPartition(rows: readonly DynamicEntity[]): readonly string[] {
  const people = rows.filter(({ rowKey }) => rowKey.startsWith('empid_'))
  const expected = new Map<string, string>()
  const wrong: string[] = []
  for (const person of people) {
    for (const entry of entriesOf(person)) {
      if (expected.has(entry)) wrong.push(`two rows have ${entry}`)
      expected.set(entry, person.rowKey)
    }
  }
  for (const entry of rows) {
    const [, index, rest] = /^~rk~ix~empid_~(email|lastName)\.\w+~(.*)$/.exec(entry.rowKey) ?? []
    if (index === undefined) continue
    const [name, owner] = [`${index} ${rest}`, text(entry, 'IndexedRowKey')]
    if (expected.get(name) !== owner) wrong.push(`${name} belongs to ${owner}`)
    else expected.delete(name)
  }
  for (const [entry, owner] of expected) wrong.push(`${entry} of ${owner} is missing`)
  return [...wrong, ...wrongCount(rows, people), ...wrongCopy(rows, people)]
}

function entriesOf(person: DynamicEntity): readonly string[] {
  const email = text(person, 'email')
  const lastName = text(person, 'lastName')
  const id = person.rowKey.slice('empid_'.length)
  return [
    ...(email === undefined ? [] : [`email ${email}`]),
    ...(lastName === undefined ? [] : [`lastName ${lastName}_${id}`]),
  ]
}

function wrongCount(
  rows: readonly DynamicEntity[],
  people: readonly DynamicEntity[],
): readonly string[] {
  const summary = rows.find(({ rowKey }) => /^~rk~su~empid_~staff\.\w+~all$/.test(rowKey))
  const count = Number(
    [...(summary?.properties ?? [])].find(([name]) => /count/i.test(name))?.[1].value ?? 0,
  )
  return count === people.length ? [] : [`the count is ${count} in place of ${people.length}`]
}

function wrongCopy(
  rows: readonly DynamicEntity[],
  people: readonly DynamicEntity[],
): readonly string[] {
  const department = rows.find(({ rowKey }) => rowKey === 'department')
  const manager = department?.get('managerId')?.value
  if (manager === undefined) return []
  const rowKey = `empid_${String(manager).padStart(6, '0')}`
  const person = people.find((each) => each.rowKey === rowKey)
  const [is, should] = [
    department && text(department, 'managerName'),
    person && text(person, 'lastName'),
  ]
  return is === should ? [] : [`the manager's name is ${is} in place of ${should}`]
}

function text(row: DynamicEntity, name: string): string | undefined {
  return row.get(name)?.as('String')
}
