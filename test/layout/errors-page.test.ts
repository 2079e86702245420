import { readFileSync } from 'node:fs'
import AzureEntity from '@rowkey/azure-entities'
import * as local from '@rowkey/local'
import * as patterns from '@rowkey/patterns'
import * as rowkey from 'rowkey'
import { describe, expect, it } from 'vitest'
import { documentedCodes, errorsPage } from '../../scripts/errors-page.ts'
import { root, sourceFiles } from './source-files.ts'

const codes = await documentedCodes()
const exported = new Set(
  [rowkey, local, AzureEntity, patterns].flatMap((place) => Object.keys(place)),
)

/** Whether an error of this class has the service's own code, which no source contains. */
function isOfService(name: string): boolean {
  const ErrorClass: unknown = { ...rowkey, ...local }[name as 'ServiceError']
  const { ServiceError } = rowkey
  return ErrorClass === ServiceError || Object(ErrorClass).prototype instanceof ServiceError
}

/** The sources of a package. Its table of codes has them as names of members, without quotes. */
const sourcesOf = (name: string) =>
  sourceFiles
    .filter((file) => file.package === name)
    .map(({ text }) => text)
    .join('\n')

describe('docs/errors.md', () => {
  it('is what `npm run tool errors` writes', async () => {
    expect(readFileSync(`${root}docs/errors.md`, 'utf8')).toBe(await errorsPage())
  })

  it('has a heading for each class that can be imported', async () => {
    const classes = [...exported].filter((name) => /^(?!is)(?!Rowkey).*Error$/.test(name))
    const page = await errorsPage()
    expect(classes).toContain('BatchError')
    expect(classes.filter((name) => !page.includes(`\n## ${name}\n`))).toEqual([])
  })

  it('names only classes that can be imported', () => {
    expect(codes.filter((code) => !exported.has(code.class))).toEqual([])
  })
})

describe.each([...new Set(codes.map((code) => code.package))])('the codes of %s', (name) => {
  it('are all used by its sources', () => {
    const sources = sourcesOf(name)
    const own = codes.filter((code) => code.package === name && !isOfService(code.class))
    const unused = own.filter(({ code }) => !sources.includes(`'${code}'`))
    expect(unused.map(({ code }) => code)).toEqual([])
  })

  it('end each sentence with a full stop', () => {
    const texts = codes
      .filter((code) => code.package === name)
      .flatMap(({ when, fix }) => [when, fix])
    expect(texts.filter((text) => !/\.[)'`]?$/.test(text))).toEqual([])
  })
})
