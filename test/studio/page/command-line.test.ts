import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { DynamicEntity, EntityProperty } from 'rowkey'
import { describe, expect, it } from 'vitest'
import {
  changeAllCommand,
  deleteCommand,
  editCommand,
  exportCommand,
  getCommand,
  insertCommand,
  queryCommand,
  tablesCommand,
} from '../../../packages/studio/page/command-line.ts'
import { tableView } from '../../../packages/studio/page/view.ts'
import type { Assignment } from '../../../packages/studio/src/server/wire.ts'
import { runCli } from '../../cli/run-cli.ts'
import { openTables } from '../../cli/with-tables.ts'
import { longTest } from '../../support/cases-to-play.ts'

/** The arguments that a shell makes of a command line. */
function argumentsOf(line: string, environment: Record<string, string> = {}): string[] {
  const print = `rowkey() { for each in "$@"; do printf '%s\\0' "$each"; done; }`
  const printed = execFileSync('sh', ['-c', `${print}\n${line}`], { env: environment })
  return printed.toString().split('\0').slice(0, -1)
}

const view = tableView('contoso', 'people')
const jeff = { table: 'people', partition: 'Smith', row: 'Jeff' }

describe('a command line', () => {
  it('is short for the usual values', () => {
    const filter = "PartitionKey eq 'Smith'"
    const shown = { ...view, filter, columns: ['age', 'city'] }
    expect(queryCommand(['--target', '@production'], shown)).toBe(
      `rowkey query --target @production --filter "PartitionKey eq 'Smith'" --select age,city --take 50 people`,
    )
    expect(queryCommand([], view)).toBe('rowkey query --take 50 --scan people')
    expect(exportCommand(['--target', './data'], shown, 'csv')).toBe(
      `rowkey export --target ./data --filter "PartitionKey eq 'Smith'" --select age,city people people.csv`,
    )
    expect(tablesCommand([])).toBe('rowkey tables')
    expect(tablesCommand(['--target', '@here', '--flavour', 'cosmos'])).toBe(
      'rowkey tables --target @here --flavour cosmos',
    )
    expect(getCommand([], jeff)).toBe('rowkey get people Smith Jeff')
    expect(deleteCommand([], jeff)).toBe('rowkey delete --write people Smith Jeff')
    expect(changeAllCommand([], shown, [])).toBe(
      `rowkey delete --filter "PartitionKey eq 'Smith'" --write people`,
    )
    expect(changeAllCommand([], view, [])).toBe('rowkey clear --write people')
    expect(changeAllCommand([], view, [{ name: 'n', type: 'Int32', text: '1' }])).toBe(
      'rowkey set --write people n:Int32=1',
    )
  })

  it('names the variable of a target that holds a credential', () => {
    const line = getCommand(['--target', '$ROWKEY_TARGET'], jeff)
    expect(line).toBe('rowkey get --target "$ROWKEY_TARGET" people Smith Jeff')
    expect(argumentsOf(line, { ROWKEY_TARGET: 'a=b; c' })[2]).toBe('a=b; c')
  })

  it('keeps a scan a scan', () => {
    const scan = { ...view, filter: 'age gt 3' }
    expect(queryCommand([], scan)).not.toContain('--scan')
    expect(queryCommand([], { ...scan, isScan: true })).toContain('--scan')
  })

  longTest('brings every text through a shell', () => {
    const text = fc
      .oneof(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom("'", '"$HOME"', '`ls`', '\\', '!', '~', '-x', ''),
      )
      .filter((each) => !each.includes('\0'))
    fc.assert(
      fc.property(text, text, (partition, row) => {
        const args = argumentsOf(getCommand([], { table: 'people', partition, row }))
        expect(args.slice(-3)).toEqual(['people', partition, row])
      }),
      { numRuns: 60 },
    )
  })
})

describe('the command line of a change', () => {
  it('does what the page does', async () => {
    await using tables = await openTables()
    const people = tables.account.table('people')
    await people.create()
    const run = async (line: string) => {
      const result = await runCli(argumentsOf(line), { target: tables.target })
      expect([line, result.code]).toEqual([line, 0])
      return people.get(['-Smith', "O'Neil"])
    }
    const address = { table: 'people', partition: '-Smith', row: "O'Neil" }
    const set: readonly Assignment[] = [
      { name: 'big', type: 'Int64', text: '9007199254740993' },
      { name: 'nan', type: 'Double', text: 'NaN' },
      { name: 'zero', type: 'Double', text: '-0.0' },
      { name: 'text', type: 'String', text: 'two\nlines = "1"' },
    ]
    const inserted = await run(insertCommand([], address, set))
    expect(inserted.get('big')).toEqual(EntityProperty.int64(9007199254740993n))
    expect(inserted.get('nan')?.value).toBeNaN()
    expect(Object.is(inserted.get('zero')?.value, -0)).toBe(true)
    expect(inserted.get('text')?.value).toBe('two\nlines = "1"')

    const row = {
      ...address,
      values: set.map(({ name, type, text }) => [name, { type, text }] as const),
    }
    const changed: readonly Assignment[] = [{ name: 'big', type: 'Int32', text: '5' }]
    const merged = await run(editCommand([], address, { row, set: changed, remove: [] }))
    expect(merged.get('big')).toEqual(EntityProperty.int32(5))
    expect(merged.properties.size).toBe(4)
    const fewer = await run(editCommand([], address, { row, set: changed, remove: ['nan'] }))
    expect([...fewer.properties.keys()].sort()).toEqual(['big', 'text', 'zero'])
    expect(fewer).toBeInstanceOf(DynamicEntity)
  })
})
