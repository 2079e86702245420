import { describe, expect, it } from 'vitest'
import { joinChangelogs } from '../../scripts/changelog.ts'
import { tarballProblems } from '../../scripts/tarballs.ts'

describe('the changelog of the repository', () => {
  const change = '- 970933c: A query that costs less.\n\n  - It reads one page.\n'
  const joined = joinChangelogs([
    {
      name: 'rowkey',
      text: `# rowkey\n\n## 0.2.0\n\n### Minor Changes\n\n${change}\n## 0.1.0\n\n- First.\n`,
    },
    {
      name: '@rowkey/query',
      text: `# @rowkey/query\n\n## 0.2.0\n\n### Minor Changes\n\n${change}\n### Patch Changes\n\n- Updated dependencies [970933c]\n  - @rowkey/odata@0.2.0\n`,
    },
  ])

  it('has each change once, after the packages that it concerns', () => {
    expect(joined.match(/A query that costs less/g)).toHaveLength(1)
    expect(joined).toContain(
      '*rowkey, @rowkey/query*\n\nA query that costs less.\n\n- It reads one page.',
    )
  })

  it('has the newest version first, and no list of updated dependencies', () => {
    expect(joined.indexOf('## 0.2.0')).toBeLessThan(joined.indexOf('## 0.1.0'))
    expect(joined).not.toContain('Updated dependencies')
  })
})

describe('a tarball', () => {
  const files = (...paths: string[]) => paths.map((path) => ({ path }))
  const needed = ['LICENSE', 'README.md', 'package.json', 'dist/index.mjs', 'dist/index.cjs']

  it('has the build, the sources and the pages for users', () => {
    const good = files(...needed, 'src/index.ts', 'docs/keys.md', 'CHANGELOG.md')
    expect(tarballProblems({ name: 'rowkey', size: 1, files: good })).toEqual([])
  })

  it('without the build, or with tests and pages about the project, is rejected', () => {
    const bad = files(...needed.slice(1), 'test/a.test.ts', 'docs/project/protocol.md')
    expect(tarballProblems({ name: 'rowkey', size: 1, files: bad })).toEqual([
      'rowkey lacks LICENSE',
      'rowkey holds test/a.test.ts',
      'rowkey holds docs/project/protocol.md',
    ])
  })
})
