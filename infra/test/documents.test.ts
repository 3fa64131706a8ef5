import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim().split('\n')
const documents = git('ls-files', '--cached', '--others', '--exclude-standard', '*.md').filter((file) =>
  existsSync(path.join(root, file)),
)

describe('decisions', () => {
  const files = readdirSync(path.join(root, 'docs/decisions')).filter((file) => file !== 'README.md')
  const decisions = files.flatMap((file) => {
    const subject = path.basename(file, '.md').toUpperCase()
    const sections = read(`docs/decisions/${file}`).split(/^## /m).slice(1)
    return sections.map((text, index) => ({ file, text, id: `D-${subject}-${index + 1}` }))
  })
  const inForce = decisions.filter(({ text }) => text.includes(', accepted\n')).map(({ id }) => id)

  it('have the number that follows, a date, a status, a question, a decision and a reason', () => {
    const form =
      /^(D-[A-Z]+-\d+): .+\n\n\d{4}-\d\d-\d\d, (accepted|withdrawn|superseded by (D-[A-Z]+-\d+))\n\n- \*\*Question\.\*\* .+\n- \*\*Decision\.\*\* .+\n- \*\*Reason\.\*\* .+\n+$/
    for (const { id, file, text } of decisions) {
      expect(text, file).toMatch(form)
      const [, named, , successor] = form.exec(text) ?? []
      expect(named, file).toBe(id)
      if (successor) expect(inForce).toContain(successor)
    }
    expect(decisions.length).toBeGreaterThan(70)
  })

  it('are listed by their files', () => {
    const listed = [...read('docs/decisions/README.md').matchAll(/^\| \[(\w+\.md)\]\(\1\) \|/gm)].map(
      ([, file]) => file,
    )
    expect(listed.sort()).toEqual(files.sort())
  })

  it('are cited by ids that are in force', () => {
    const cited = git(
      'grep',
      '--untracked',
      '-ohwE',
      'D-[A-Z]+-[0-9]+',
      '--',
      ':!docs/decisions',
      ':!infra/test/documents.test.ts',
    )
    expect(new Set(cited).size).toBeGreaterThan(50)
    expect(cited.filter((id) => !inForce.includes(id))).toEqual([])
  })
})

describe('documents', () => {
  it('name files that exist', () => {
    const broken = documents.flatMap((file) =>
      [...read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map(([, target]) => path.normalize(path.join(path.dirname(file), target ?? '')))
        .filter((target) => !existsSync(path.join(root, target)))
        .map((target) => `${file}: ${target}`),
    )
    expect(broken).toEqual([])
  })

  it('are all found from the first page', () => {
    const readme = read('README.md')
    const unnamed = readdirSync(path.join(root, 'docs')).filter((file) => !readme.includes(`(docs/${file})`))
    expect(unnamed).toEqual([])
  })

  it('give each term of the glossary once, in its order', () => {
    const terms = [...read('docs/glossary.md').matchAll(/^\| ([^|]+) \| [^|]+ \| [^|]+ \| [^|]+ \|$/gm)].map(
      ([, term]) => term ?? '',
    )
    const sorted = [...new Set(terms.slice(1))].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
    expect(terms.slice(1)).toEqual(sorted)
    expect(terms.length).toBeGreaterThan(80)
  })
})
