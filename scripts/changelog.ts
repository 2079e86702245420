/**
 * Makes a version of the waiting changesets: `npm run tool changelog`. It sets the version of each package, writes their CHANGELOG.md files,
 * and joins these in one CHANGELOG.md of the repository, in which each change stands once.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** The changelog of one package. */
export interface PackageChanges {
  /** As users install it. */
  readonly name: string
  /** The text of its CHANGELOG.md. */
  readonly text: string
}

/**
 * Joins the changelogs of packages that are released together.
 *
 * @param packages - the first names the versions
 * @returns the text, with the newest version first and each change once, after the packages that it concerns
 */
export function joinChangelogs(packages: readonly PackageChanges[]): string {
  const versions = new Map<string, Map<string, string[]>>()
  for (const { name, text } of packages) {
    for (const [version, changes] of versionsOf(text)) {
      const known = versions.get(version) ?? new Map<string, string[]>()
      versions.set(version, known)
      for (const change of changes) known.set(change, [...(known.get(change) ?? []), name])
    }
  }
  const parts = Array.from(versions, ([version, changes]) => {
    const texts = Array.from(changes, ([change, names]) => `*${names.join(', ')}*\n\n${change}`)
    return `## ${version}\n\n${texts.join('\n\n')}\n`
  })
  return `# Changelog\n\n${parts.join('\n')}`
}

/** The changes of each version, without the list of updated dependencies and the ids of commits. */
function versionsOf(text: string): readonly (readonly [version: string, changes: string[]])[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [version = '', ...lines] = part.split('\n')
      const changes = lines
        .join('\n')
        .split(/^(?=- )/m)
        .slice(1)
        .filter((change) => !/^- (?:Updated dependencies|@?[\w/-]+@\d)/.test(change))
        .map((change) => change.replace(/^### .*$/gm, '').replace(/^- (?:[0-9a-f]{7,}: )?/, ''))
        .map((change) => change.replace(/^ {2}/gm, '').trim())
      return [version, changes] as const
    })
}

if (process.argv[1] === import.meta.filename) {
  execFileSync(`${root}node_modules/.bin/changeset`, ['version'], { cwd: root, stdio: 'inherit' })
  const folders = readdirSync(`${root}packages`).sort((one) => (one === 'rowkey' ? -1 : 0))
  const packages = folders.map((folder) => ({
    name: folder === 'rowkey' ? folder : `@rowkey/${folder}`,
    text: readFileSync(`${root}packages/${folder}/CHANGELOG.md`, 'utf8'),
  }))
  writeFileSync(`${root}CHANGELOG.md`, joinChangelogs(packages))
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], { cwd: root })
}
