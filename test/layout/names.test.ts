import { describe, expect, it } from 'vitest'
import { placeOf, type SourceFile, sourceFiles } from './source-files.ts'

const KEBAB_CASE = /^(?:[a-z][a-z0-9]*(?:-[a-z0-9]+)*\/)*[a-z][a-z0-9]*(?:-[a-z0-9]+)*\.ts$/
const SAYS_NOTHING = /(?:^|[/-])(?:utils?|helpers?|common|misc|managers?|handle|data|info)(?=[/.-])/
/** An alarm, not the rule; the rule is one idea per file. */
const LONGEST = 400
/** Front pages: one short method for each call, and the documentation that users read. */
const FRONT_PAGES = ['packages/mapper/src/table/table.ts', 'packages/query/src/query.ts']

const offenders = (isOne: (file: SourceFile) => boolean) => sourceFiles.filter(isOne).map(placeOf)

describe('source files', () => {
  it('are found', () => {
    expect(sourceFiles.length).toBeGreaterThan(50)
  })

  it('have names in kebab-case', () => {
    expect(offenders(({ path }) => !KEBAB_CASE.test(path))).toEqual([])
  })

  it('have meaningful names', () => {
    expect(offenders(({ path }) => SAYS_NOTHING.test(path))).toEqual([])
  })

  it('are not barrels, except the index.ts of a package', () => {
    expect(
      offenders(({ path, text }) =>
        path === 'index.ts' || path.startsWith('entries/')
          ? /^export \*/m.test(text)
          : path.endsWith('index.ts') || /^export .* from /m.test(text),
      ),
    ).toEqual([])
  })

  it(`have at most ${LONGEST} lines, except the lists of public names and the front pages`, () => {
    const isLong = (text: string) => text.split('\n').length - 1 > LONGEST
    expect(offenders(({ path, text }) => path !== 'index.ts' && isLong(text))).toEqual(FRONT_PAGES)
  })

  it('never throw a plain Error', () => {
    expect(offenders(({ text }) => /throw new (?:Type|Range|Syntax)?Error\(/.test(text))).toEqual(
      [],
    )
  })
})

describe('the rule for names', () => {
  it.each([
    'utils/x.ts',
    'edm/date-utils.ts',
    'helper.ts',
    'common/edm.ts',
    'http/info.ts',
    'handle-error.ts',
  ])('rejects %s', (path) => {
    expect(path).toMatch(SAYS_NOTHING)
  })

  it.each(['edm/date-time.ts', 'store/database.ts', 'operations/get-entity.ts', 'metadata/x.ts'])(
    'accepts %s',
    (path) => {
      expect(path).not.toMatch(SAYS_NOTHING)
    },
  )

  it.each(['Edm/x.ts', 'edm/dateTime.ts', 'edm/date_time.ts'])(
    'sees that %s is not kebab-case',
    (path) => {
      expect(path).not.toMatch(KEBAB_CASE)
    },
  )
})
