import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { oneAccount } from '../accounts.ts'
import { PEOPLE, storePeople } from '../many-people.ts'

const { at, run } = oneAccount(storePeople)

describe('rowkey import', () => {
  it('exports an array to a file of JSON', async () => {
    expect((await run('export people people.json -p city-1')).code).toBe(0)
    const rows = JSON.parse(await readFile(join(at.folder, 'people.json'), 'utf8'))
    expect(rows).toHaveLength(PEOPLE / 13)
    expect((await run('export people none.json -p nowhere')).code).toBe(0)
    expect(await readFile(join(at.folder, 'none.json'), 'utf8')).toBe('[]\n')
    expect((await run('import stored people.json --create')).warned).toContain('Wrote 100 rows')
  })
})
