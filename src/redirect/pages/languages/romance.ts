import type { VisitorTexts } from './texts.ts';

export const romance = {
  fr: {
    direction: 'ltr',
    unknownTitle: 'Ce code n’existe pas',
    unknownTyped:
      'Il n’y a rien à cette adresse. Si vous l’avez saisie, comparez chaque lettre avec l’imprimé.',
    unknownScanned:
      'Si vous l’avez scanné, prévenez les personnes qui l’ont affiché : le code a peut-être été supprimé.',
    codeForm: 'Les codes ont 8 lettres et chiffres.',
    pausedTitle: 'Ce code est en pause',
    pausedBy: (business) => `${business} l’a désactivé pour le moment.`,
    pausedByOwner: 'Son propriétaire l’a désactivé pour le moment.',
    tryLater: 'Réessayez plus tard.',
    blockedTitle: 'Ce code est bloqué',
    blockedText:
      'L’exploitant de ce serveur l’a désactivé. Il ne mène nulle part, et votre téléphone n’a rien ouvert d’autre.',
    blockedAdvice:
      'S’il vous a déjà demandé de l’argent ou un mot de passe, prévenez le lieu où vous l’avez scanné.',
    stoppedTitle: 'Ce code ne mène plus nulle part',
    stoppedText: 'Son propriétaire a quitté ce service.',
    warningTitle: 'Ce site est peut-être dangereux',
    flaggedByList: (list) =>
      `Ce code mène à une adresse de la liste « ${list} » de sites trompeurs ou nuisibles. La liste peut se tromper.`,
    flaggedByOperator:
      'L’exploitant de ce serveur a signalé cette adresse comme trompeuse ou nuisible.',
    flaggedByService:
      'Un service de navigation sécurisée a signalé cette adresse comme trompeuse ou nuisible. Il peut se tromper.',
    testAddress: 'C’est une adresse de test sans danger pour des avertissements comme celui-ci.',
    ifUnsure: 'Dans le doute, fermez cette page.',
    continueAnyway: 'Continuer quand même',
    wholeAddress: 'L’adresse complète',
    unavailableTitle: 'Réessayez dans un instant',
    unavailableText:
      'Ce code ne peut pas être consulté en ce moment. Le code et votre téléphone vont bien.',
    errorTitle: 'Une erreur s’est produite',
    errorText: 'Ce n’est pas votre faute.',
    tryAgain: 'Réessayer',
    request: (id) => `Requête ${id}`,
    rootText: 'Des codes QR imprimés dont vous pouvez changer la destination.',
    signIn: 'Se connecter',
    openPanel: 'Ouvrir l’espace de gestion',
    apiDocs: 'Documentation de l’API',
    rootScanned: (address) =>
      `Vous avez scanné un code et êtes arrivé ici ? Scannez-le de nouveau : il manque quelque chose après ${address}.`,
    rootCode: 'Ce code mène ici. Pour les vôtres, c’est vous qui décidez.',
  },
  it: {
    direction: 'ltr',
    unknownTitle: 'Questo codice non esiste',
    unknownTyped:
      'A questo indirizzo non c’è nulla. Se lo hai digitato, confronta ogni lettera con la stampa.',
    unknownScanned:
      'Se lo hai scansionato, avvisa chi lo ha esposto: il codice potrebbe essere stato eliminato.',
    codeForm: 'I codici hanno 8 lettere e cifre.',
    pausedTitle: 'Questo codice è in pausa',
    pausedBy: (business) => `${business} lo ha disattivato per ora.`,
    pausedByOwner: 'Il proprietario lo ha disattivato per ora.',
    tryLater: 'Riprova più tardi.',
    blockedTitle: 'Questo codice è bloccato',
    blockedText:
      'Il gestore di questo server lo ha disattivato. Non porta da nessuna parte e il tuo telefono non ha aperto altro.',
    blockedAdvice:
      'Se prima ti ha chiesto denaro o una password, avvisa il luogo in cui lo hai scansionato.',
    stoppedTitle: 'Questo codice non porta più da nessuna parte',
    stoppedText: 'Il proprietario ha lasciato questo servizio.',
    warningTitle: 'Questo sito potrebbe essere pericoloso',
    flaggedByList: (list) =>
      `Questo codice porta a un indirizzo nella lista “${list}” di siti ingannevoli o dannosi. La lista può sbagliarsi.`,
    flaggedByOperator:
      'Il gestore di questo server ha segnalato questo indirizzo come ingannevole o dannoso.',
    flaggedByService:
      'Un servizio di navigazione sicura ha segnalato questo indirizzo come ingannevole o dannoso. Può sbagliarsi.',
    testAddress: 'È un indirizzo di prova innocuo per avvisi come questo.',
    ifUnsure: 'Se hai dubbi, chiudi questa pagina.',
    continueAnyway: 'Continua comunque',
    wholeAddress: 'L’indirizzo completo',
    unavailableTitle: 'Riprova tra un momento',
    unavailableText:
      'Ora non è possibile cercare questo codice. Il codice e il tuo telefono sono a posto.',
    errorTitle: 'Qualcosa è andato storto',
    errorText: 'Non è colpa tua.',
    tryAgain: 'Riprova',
    request: (id) => `Richiesta ${id}`,
    rootText: 'Codici QR stampati di cui puoi cambiare la destinazione.',
    signIn: 'Accedi',
    openPanel: 'Apri il pannello',
    apiDocs: 'Documentazione API',
    rootScanned: (address) =>
      `Hai scansionato un codice e sei finito qui? Scansionalo di nuovo: manca qualcosa dopo ${address}.`,
    rootCode: 'Questo codice porta qui. Dove portano i tuoi, lo decidi tu.',
  },
  es: {
    direction: 'ltr',
    unknownTitle: 'Este código no existe',
    unknownTyped:
      'No hay nada en esta dirección. Si la ha escrito, compare cada letra con el impreso.',
    unknownScanned:
      'Si lo ha escaneado, avise a quienes lo pusieron: puede que se haya eliminado el código.',
    codeForm: 'Los códigos tienen 8 letras y cifras.',
    pausedTitle: 'Este código está en pausa',
    pausedBy: (business) => `${business} lo ha desactivado por ahora.`,
    pausedByOwner: 'Su propietario lo ha desactivado por ahora.',
    tryLater: 'Inténtelo más tarde.',
    blockedTitle: 'Este código está bloqueado',
    blockedText:
      'El operador de este servidor lo ha desactivado. No lleva a ninguna parte y su teléfono no ha abierto nada más.',
    blockedAdvice: 'Si antes le pidió dinero o una contraseña, avise en el lugar donde lo escaneó.',
    stoppedTitle: 'Este código ya no lleva a ninguna parte',
    stoppedText: 'Su propietario ha dejado este servicio.',
    warningTitle: 'Este sitio puede ser peligroso',
    flaggedByList: (list) =>
      `Este código lleva a una dirección de la lista «${list}» de sitios engañosos o dañinos. La lista puede equivocarse.`,
    flaggedByOperator:
      'El operador de este servidor ha marcado esta dirección como engañosa o dañina.',
    flaggedByService:
      'Un servicio de navegación segura ha marcado esta dirección como engañosa o dañina. Puede equivocarse.',
    testAddress: 'Es una dirección de prueba inofensiva para avisos como este.',
    ifUnsure: 'Si no está seguro, cierre esta página.',
    continueAnyway: 'Continuar de todos modos',
    wholeAddress: 'La dirección completa',
    unavailableTitle: 'Inténtelo de nuevo en un momento',
    unavailableText:
      'Ahora mismo no se puede consultar este código. El código y su teléfono están bien.',
    errorTitle: 'Algo ha salido mal',
    errorText: 'No es culpa suya.',
    tryAgain: 'Intentar de nuevo',
    request: (id) => `Solicitud ${id}`,
    rootText: 'Códigos QR impresos cuyo destino puede cambiar.',
    signIn: 'Iniciar sesión',
    openPanel: 'Abrir el panel',
    apiDocs: 'Documentación de la API',
    rootScanned: (address) =>
      `¿Ha escaneado un código y ha llegado aquí? Escanéelo de nuevo: falta algo después de ${address}.`,
    rootCode: 'Este código lleva aquí. Adónde llevan los suyos lo decide usted.',
  },
  pt: {
    direction: 'ltr',
    unknownTitle: 'Este código não existe',
    unknownTyped:
      'Não há nada neste endereço. Se você o digitou, compare cada letra com o impresso.',
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
  },
  ro: {
    direction: 'ltr',
    unknownTitle: 'Acest cod nu există',
    unknownTyped:
      'Nu este nimic la această adresă. Dacă ați tastat-o, comparați fiecare literă cu tipăritura.',
    unknownScanned:
      'Dacă l-ați scanat, anunțați persoanele care l-au afișat: este posibil să fi fost șters.',
    codeForm: 'Codurile au 8 litere și cifre.',
    pausedTitle: 'Acest cod este în pauză',
    pausedBy: (business) => `${business} l-a dezactivat deocamdată.`,
    pausedByOwner: 'Proprietarul l-a dezactivat deocamdată.',
    tryLater: 'Încercați din nou mai târziu.',
    blockedTitle: 'Acest cod este blocat',
    blockedText:
      'Operatorul acestui server l-a dezactivat. Nu duce nicăieri, iar telefonul dvs. nu a deschis nimic altceva.',
    blockedAdvice: 'Dacă v-a cerut înainte bani sau o parolă, anunțați locul în care l-ați scanat.',
    stoppedTitle: 'Acest cod nu mai duce nicăieri',
    stoppedText: 'Proprietarul a părăsit acest serviciu.',
    warningTitle: 'Acest site poate fi periculos',
    flaggedByList: (list) =>
      `Acest cod duce la o adresă din lista „${list}” de site-uri înșelătoare sau dăunătoare. Lista poate greși.`,
    flaggedByOperator:
      'Operatorul acestui server a marcat această adresă ca înșelătoare sau dăunătoare.',
    flaggedByService:
      'Un serviciu de navigare sigură a marcat această adresă ca înșelătoare sau dăunătoare. Poate greși.',
    testAddress: 'Aceasta este o adresă de test inofensivă pentru avertismente ca acesta.',
    ifUnsure: 'Dacă nu sunteți sigur, închideți această pagină.',
    continueAnyway: 'Continuați oricum',
    wholeAddress: 'Adresa completă',
    unavailableTitle: 'Încercați din nou peste câteva clipe',
    unavailableText: 'Acest cod nu poate fi căutat acum. Codul și telefonul dvs. sunt în regulă.',
    errorTitle: 'Ceva nu a mers bine',
    errorText: 'Nu este vina dvs.',
    tryAgain: 'Încercați din nou',
    request: (id) => `Cererea ${id}`,
    rootText: 'Coduri QR tipărite a căror destinație o puteți schimba.',
    signIn: 'Autentificare',
    openPanel: 'Deschideți panoul',
    apiDocs: 'Documentația API',
    rootScanned: (address) =>
      `Ați scanat un cod și ați ajuns aici? Scanați-l din nou: lipsește ceva după ${address}.`,
    rootCode: 'Acest cod duce aici. Unde duc ale dvs., decideți dvs.',
  },
} as const satisfies Readonly<Record<string, VisitorTexts>>;
