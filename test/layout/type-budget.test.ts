import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { root } from './source-files.ts'
import { checkSample } from './type-sample.ts'

const TYPES = ['string', 'number', 'bigint', 'boolean', 'Date', 'Uint8Array']

/** A class of 60 properties, and a query on it. */
const PREAMBLE = `import { anyOf, between, bindQuery, gt, type QueryModel, type QuerySource } from '@rowkey/query'
export const words = [anyOf, between, gt]
class Wide {
${Array.from({ length: 60 }, (_, index) => `  p${index}?: ${TYPES[index % 6]}`).join('\n')}
}
const query = bindQuery({} as QueryModel, {} as QuerySource<Wide>)
`

const fifteen = Array.from({ length: 15 }, (_, index) => `c.p${6 * (index % 10) + 1}.gt(${index})`)

/**
 * The budget of the compiler for each form of a query, in instantiations beyond the preamble. It is about
 * a third above the recorded cost: small changes pass, a type that multiplies fails.
 */
const budgets: readonly [what: string, code: string, budget: number][] = [
  ['a callback', 'query.where((c) => c.p0.eq("a").and(c.p1.gt(1)))', 1_900],
  ['an object', 'query.where({ p0: "a", p1: gt(1), p7: between(1, 2), p13: anyOf([1]) })', 1_500],
  [
    'fifteen comparisons',
    `query.where((c) => ${fifteen[0]}.and(${fifteen.slice(1).join(', ')}))`,
    2_000,
  ],
  ['twenty refinements', `query${'.where({ p0: "a" }).take(1)'.repeat(20)}`, 1_400],
  ['a projection', 'query.select("p0", "p1").toArray().then(([row]) => row?.p1)', 2_200],
]

/** What the counts depend on. */
const SOURCES = [
  ...['odata', 'rest', 'query', 'mapper'].map((name) => `packages/${name}/src`),
  ...['package-lock.json', 'tsconfig.base.json', 'test/layout'],
]

/** Whether one of them may have changed. Each night and in a clone without history all are counted. */
const mayHaveChanged = git('diff', '--quiet', branchPoint(), '--', ...SOURCES).status !== 0

/** The commit before a branch, or before the last commit of main. */
function branchPoint(): string {
  const head = git('rev-parse', 'HEAD').stdout
  const shared = git('merge-base', 'HEAD', 'main').stdout
  return (shared !== '' && shared !== head ? shared : 'HEAD^').trim()
}

function git(...args: readonly string[]) {
  return spawnSync('git', [...args], { cwd: root, encoding: 'utf8' })
}

describe.runIf(mayHaveChanged)('the types of queries', () => {
  let floor: number

  beforeAll(() => {
    floor = checkSample(PREAMBLE).instantiations
  })

  it.each(budgets)('cost the compiler little for %s', (_what, code, budget) => {
    const { errors, instantiations } = checkSample(PREAMBLE + code)
    expect(errors).toEqual([])
    expect(instantiations - floor).toBeLessThanOrEqual(budget)
  })

  it('cost more for larger queries, so that the measurement works', () => {
    const one = checkSample(`${PREAMBLE}query.where({ p0: "a" })`).instantiations
    const other = checkSample(`${PREAMBLE}query.where((c) => c.p0.eq("a")).select("p1")`)
    expect(one).toBeGreaterThan(floor)
    expect(other.instantiations).toBeGreaterThan(one)
  })
})

/** A class with a decorator on each field, of a type that fits. */
const decorated = (name: string) => `export class ${name} {
  @PartitionKey() id!: string
  @Int64() points?: bigint
  @Double() price = 0
  @StoreAs('s') @DateTime() since?: Date
  @ETag() etag?: string
}
`

describe.runIf(mayHaveChanged)('the types of decorators', () => {
  const imports =
    "import { DateTime, Double, ETag, Int64, PartitionKey, StoreAs } from '@rowkey/mapper'\n"

  it('cost the compiler no instantiation for the fields of a further class', () => {
    const one = checkSample(imports + decorated('One'))
    const two = checkSample(imports + decorated('One') + decorated('Two'))
    expect(two.errors).toEqual([])
    expect(one.instantiations).toBeGreaterThan(0)
    expect(two.instantiations).toBe(one.instantiations)
  })
})

/** A model with six properties. */
const defined = (name: string) => `export const ${name} = defineEntity({
  name: 'orders',
  partitionKey: key\`\${'customer'}\`,
  rowKey: key\`\${'no:8'}\`,
  schema: z.object({
    customer: z.string(), no: z.number(), points: z.bigint().optional(), since: z.date().optional(),
    active: z.boolean().default(false), city: z.string(),
  }),
  etag: 'etag',
})
`

describe.runIf(mayHaveChanged)('the types of models', () => {
  it('cost the compiler little for a further model', () => {
    const imports = "import { defineEntity, key } from '@rowkey/mapper'\nimport { z } from 'zod'\n"
    const one = checkSample(imports + defined('one'))
    const two = checkSample(imports + defined('one') + defined('two'))
    expect(two.errors).toEqual([])
    expect(two.instantiations - one.instantiations).toBeLessThanOrEqual(830)
  })
})
