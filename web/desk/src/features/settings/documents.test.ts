import { expect, it } from 'vitest'
import { at, differences, withAt } from './documents.ts'

it('changes one place of a document and leaves the others', () => {
  const document = { name: 'Stadtwerke', theme: { primaryColor: '#1c6b45', headerColor: '#14523a' } }
  const changed = withAt(document, 'theme.primaryColor', '#000000')
  expect(changed).toEqual({ name: 'Stadtwerke', theme: { primaryColor: '#000000', headerColor: '#14523a' } })
  expect(at(changed, 'theme.headerColor')).toBe('#14523a')
  expect(at(changed, 'name.first')).toBeUndefined()
  expect(withAt({}, 'desk.reminders.automatic', true)).toEqual({ desk: { reminders: { automatic: true } } })
  expect(withAt(changed, 'name', undefined)).toEqual({ theme: changed['theme'] })
})

it('names what is different by its place', () => {
  expect(differences('{"a":{"b":1,"c":[1]}}', '{"a":{"b":2,"c":[1,2]}}')).toEqual([
    { path: 'a.b', before: '1', after: '2' },
    { path: 'a.c[2]', before: undefined, after: '2' },
  ])
  expect(differences('# Hilfe', undefined)).toEqual([{ path: '', before: '# Hilfe', after: undefined }])
  expect(differences('{"a":1}', '{ "a": 1 }')).toEqual([])
})
