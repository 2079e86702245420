import { DynamicEntity } from '@rowkey/odata'
import { type Crowd, crowd } from './crowd.ts'

/** What a race found, and how much it did. */
export interface RaceResult {
  /** How many builds or updates were made. */
  readonly done: number
  /** What was wrong afterwards, in words. */
  readonly wrong: readonly string[]
  /** How the updates ended, and how often. */
  readonly endings?: ReadonlyMap<string, number>
}

/**
 * Builds the indexes of a table while four programs write it. Some builders die in the middle, some work side by
 * side, and programs without the indexes have written the table before.
 */
export async function buildUnderLoad(seed: number): Promise<RaceResult> {
  const staff = crowd(seed, { rows: 6, values: 8 })
  const { indexes, plain, random } = staff
  const rows = plain.table('employees')
  await rows.create()
  for (let id = 1; id <= 6; id++) await rows.insert(oldRow(id, random))
  // A builder that dies, at any of its requests.
  const dying = indexes.on(staff.openDying(random(40)))
  const dead = dying.build()
  await Promise.all([...writers(staff), dead.catch(() => undefined)])
  const builders = Array.from({ length: 1 + random(3) }, () => indexes.on(plain).build())
  await Promise.all([...writers(staff), ...builders])
  const { found } = await indexes.on(plain).verify()
  const wrong = found > 0 ? [`seed ${seed}: ${found} differences`] : []
  return { done: 1 + builders.length, wrong: [...wrong, ...(await duplicatesIn(staff))] }
}

/** After so many updates the entries are compared with the rows. */
const VERIFIED_EACH = 200

/** Lets four programs race for the unique values of a few rows, and reads all rows after each update of the four. */
export async function raceForValues(seed: number, updates: number): Promise<RaceResult> {
  const staff = crowd(seed, { rows: 5, values: 6 })
  const { indexes, plain } = staff
  const rows = plain.table('employees')
  await rows.create()
  const indexed = indexes.on(plain)
  await indexed.build()
  for (let id = 1; id <= 5; id++) await rows.insert(emptyRow(id))
  const programs = Array.from({ length: 4 }, () => staff.open())
  const wrong: string[] = []
  const endings = new Map<string, number>()
  for (let done = 0; done < updates; done += programs.length) {
    for (const ending of await Promise.all(programs.map((program) => staff.race(program)))) {
      endings.set(ending, (endings.get(ending) ?? 0) + 1)
    }
    // A later update can hide what an earlier one did.
    wrong.push(...(await duplicatesIn(staff)))
    if (done % VERIFIED_EACH > 0) continue
    const { found } = await indexed.verify()
    if (found > 0) wrong.push(`seed ${seed}, ${done} updates: ${found} differences`)
  }
  return { done: updates, wrong, endings }
}

function writers(staff: Crowd): Promise<void>[] {
  return Array.from({ length: 4 }, async () => {
    const program = staff.open()
    for (let count = staff.random(4); count > 0; count--) await staff.act(program)
  })
}

/** A row of a program that knows no index; the values of old rows are different. */
function oldRow(id: number, random: (below: number) => number): DynamicEntity {
  return new DynamicEntity('Sales', `empid_00000${id}`, {
    firstName: 'Old',
    lastName: `old${random(3)}`,
    mail: `old${id}@x`,
  })
}

function emptyRow(id: number): DynamicEntity {
  return new DynamicEntity('Sales', `empid_00000${id}`, { firstName: 'New' })
}

/** Reads the values of all rows without any index, and lists those that two rows have. */
async function duplicatesIn({ plain }: Crowd): Promise<readonly string[]> {
  const owners = new Map<string, string>()
  const wrong: string[] = []
  const rows = plain.table('employees').query().where({ partitionKey: 'Sales' })
  for (const row of await rows.toArray()) {
    const mail = row.get('mail')?.as('String')
    if (!row.rowKey.startsWith('empid_') || mail === undefined) continue
    const owner = owners.get(mail)
    if (owner !== undefined) wrong.push(`${mail} belongs to ${owner} and ${row.rowKey}`)
    owners.set(mail, row.rowKey)
  }
  return wrong
}
