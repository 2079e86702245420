import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { oneAccount } from '../accounts.ts'
import { PEOPLE, storePeople } from '../many-people.ts'
import { linesIn } from './lines-in.ts'

const { at, run } = oneAccount(storePeople)

describe('export and import', () => {
  longTest.each(['people.ndjson', 'people.csv.gz'])(
    'move a table by way of %s without loss',
    async (file) => {
      expect((await run(`export people ${file} --ranges 4`)).code).toBe(0)
      expect(await readdir(at.folder)).toEqual([file])
      const name = `copy${file.replaceAll('.', '')}`
      const { code, warned } = await run(`import ${name} ${file} --create`)
      expect([code, warned]).toEqual([0, `Wrote 1,300 rows to ${name}.\n`])
      expect(await linesIn(at.tables.account, name)).toEqual(
        await linesIn(at.tables.account, 'people'),
      )
      expect(await readdir(at.folder)).toEqual([file])
    },
  )

  it('use the standard output and input', async () => {
    const { printed, warned } = await run('export people --partition city-1 --format csv')
    expect([printed.split('\r\n').length - 2, warned]).toEqual([PEOPLE / 13, ''])
    await run('import piped --create --format csv', { input: printed })
    expect(await linesIn(at.tables.account, 'piped')).toHaveLength(PEOPLE / 13)
  })
})
