import type { VisitorTexts } from './texts.ts';

export const portuguese: VisitorTexts = {
  direction: 'ltr',
  unknownTitle: 'Este código não existe',
  unknownTyped: 'Não há nada neste endereço. Se você o digitou, compare cada letra com o impresso.',
  unknownScanned:
    'Se você o leu com a câmera, avise quem o colocou: o código pode ter sido excluído.',
  codeForm: 'Os códigos têm 8 letras e números.',
  pausedTitle: 'Este código está em pausa',
  pausedBy: (business) => `${business} desativou-o por enquanto.`,
  pausedByOwner: 'O proprietário desativou-o por enquanto.',
  tryLater: 'Tente novamente mais tarde.',
  blockedTitle: 'Este código está bloqueado',
  blockedText:
    'O operador deste servidor desativou-o. Ele não leva a lugar nenhum, e o seu telefone não abriu mais nada.',
  blockedAdvice: 'Se antes ele pediu dinheiro ou uma senha, avise o local onde você o leu.',
  stoppedTitle: 'Este código já não leva a lugar nenhum',
  stoppedText: 'O proprietário deixou este serviço.',
  warningTitle: 'Este site pode ser perigoso',
  flaggedByList: (list) =>
    `Este código leva a um endereço da lista “${list}” de sites enganosos ou nocivos. A lista pode estar errada.`,
  flaggedByOperator: 'O operador deste servidor marcou este endereço como enganoso ou nocivo.',
  flaggedByService:
    'Um serviço de navegação segura marcou este endereço como enganoso ou nocivo. Ele pode estar errado.',
  testAddress: 'Este é um endereço de teste inofensivo para avisos como este.',
  ifUnsure: 'Se não tiver certeza, feche esta página.',
  continueAnyway: 'Continuar mesmo assim',
  wholeAddress: 'O endereço completo',
  unavailableTitle: 'Tente novamente daqui a pouco',
  unavailableText:
    'Não é possível consultar este código agora. O código e o seu telefone estão em ordem.',
  errorTitle: 'Algo deu errado',
  errorText: 'A culpa não é sua.',
  tryAgain: 'Tentar novamente',
  request: (id) => `Pedido ${id}`,
  rootText: 'Códigos QR impressos cujo destino você pode mudar.',
  signIn: 'Entrar',
  openPanel: 'Abrir o painel',
  apiDocs: 'Documentação da API',
  rootScanned: (address) =>
    `Leu um código e veio parar aqui? Leia-o de novo: falta algo depois de ${address}.`,
  rootCode: 'Este código leva até aqui. Aonde levam os seus, você decide.',
};
