import { Button } from '@aws-amplify/ui-react'

export function App() {
  return <Button variation="primary">Zählwerk</Button>
}
